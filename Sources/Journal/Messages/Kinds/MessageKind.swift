/// What Vigil can say, a closed set. The raw value is the kind's MESSAGE_ID, random, fixed for ever, and never given another
/// meaning. The words of each kind are in the `MessageKind+…` of its group.
public enum MessageKind: String, Sendable, Hashable, CaseIterable {
    // MARK: The daemon

    /// The process runs; nothing is read yet.
    case daemonStarted = "b28b55a2f41a4a7cbcde147ba638b56f"
    /// Every camera is set up and the API answers.
    case daemonReady = "ff2ecf3cbd814515b0319e92c655b447"
    /// An ordered stop began.
    case daemonStopping = "384e94e4f2cd4ab78269fe1952fca0b6"
    /// A stop took too long and was cut short.
    case daemonStopOverdue = "f355b6747c354b11a7d66a8e523efb03"
    /// Everything is closed; the process ends.
    case daemonStopped = "82374c090e47417cbc3708b3e8b2d8e6"
    /// A configuration is in force.
    case configurationLoaded = "99a129627e704a7daecbcb02b3a86ebb"
    /// A configuration has a fault; the last good one stays.
    case configurationRefused = "23c0c9d4d6c4424380767f14e1930b61"
    /// What a policy in force asks for is not possible.
    case policyImpossible = "b7477e31de8474d531d6aaf61482e923"
    /// The text of a policy changed.
    case policyRevised = "ba425004474b61448da578d33935e2c7"
    /// The policy in force of a camera changed.
    case policyChanged = "f1c521c4156d48fdb032573b7c2d2b7e"
    /// The built-in camera was started.
    case demoStarted = "67ea004b60c04ee98d44295030f8a9b4"
    /// A listener takes no request any more.
    case listenerFailed = "0e068982534b4b2f86a50cd3fbe2d1c2"
    /// The process comes near a limit of its own.
    case limitNear = "2ec13b396a58db678596570140a73d0c"
    /// It is away from it again.
    case limitClear = "6747ffc82eca6d10458bf4d09ab5ec2e"

    // MARK: A camera's link

    /// A dial began.
    case linkDialing = "4b81c37bfe524882a70a55f90dfd9fec"
    /// The camera answered; a key frame is awaited.
    case linkDialed = "9561727e636c43ddb7b311d1ee8bb674"
    /// A key frame came that a clip can begin with.
    case linkStreaming = "a746bb638ff946d6b4e4cafe45b79120"
    /// A clip is wanted, and no key frame has come that it could begin with.
    case linkSynchronizing = "7f895b4c42a049e49f45cf27ea1c8c3a"
    /// The link was lost, by nobody's order.
    case linkLost = "0bfd2d59927a4ba8b880deb9e8b4632a"
    /// A dial failed.
    case linkFailed = "02699899ea1543ae9ca8d4d2eaf0e636"
    /// The next attempt waits for its time.
    case linkWaiting = "b95dce4192ed4b87b5b8997654d22303"
    /// A camera that nobody records was tried, and answered.
    case cameraReachable = "a066ed2f076a4f8985ce6b3dc80062d2"
    /// A camera that nobody records was tried, and did not answer.
    case cameraUnreachable = "6f241f6e523a491db5a8812639d737ba"
    /// The link was closed by order.
    case linkHungUp = "49712b923b524f1cb6b925a0e8e4227f"
    /// Packets come, but no key frame.
    case noKeyFrame = "5bdaba703b0b41769ddd0c4fdf32e9e7"
    /// A burst of timestamps was repaired.
    case timestampsRepaired = "b3965cdf338545ad9e6bfc4e10504a1e"
    /// A burst of frames that packets are missing from.
    case framesDamaged = "0b8ae2d4898049a183e5627699374140"
    /// The stream changed its form.
    case streamChanged = "fd9db3bd08c84cfebe5436fed2d7c3cd"
    /// A track is not recorded.
    case streamIgnoredTrack = "0a8767a841d7487a8a283dddb0b0f097"

    /// Units of a track are left out.
    case streamUnitRefused = "d965e4be4cc655a050ab034c9fa76e2d"
    /// A camera's sound cannot be sent by WebRTC.
    case liveSoundMissing = "b7357a8e0da342ff9ae0de2c2939ebea"
    /// The picture is too large to be decoded.
    case pictureTooLarge = "8d2985fc9e571fc45933bcc4847d35a9"

    // MARK: Triggers

    /// An event began.
    case eventBegan = "1c52536d2ae24a65983a4ef85e013dcf"
    /// The window of an event was prolonged.
    case eventProlonged = "739cf3e069a94f8190d1cf4a5e5bdeb2"
    /// An event ended.
    case eventEnded = "03f908a79fdc45f2838eccf13023672c"
    /// Something was recognised during an event.
    case eventLabelled = "9a2530c41102430fa292135b938dd77f"
    /// A detection did not count.
    case detectionSuppressed = "cfa253a1fa9f46b3a0f1543e4c59dece"
    /// A doorbell rang.
    case doorbellRang = "22554c2f42264a0ca83f725a1e8e77f2"
    /// Somebody asked for recording, or triggered.
    case commandTaken = "c1f0b77f0bd84c6cb5a1e6e31f5d8a52"
    /// A command was refused.
    case commandRefused = "3f40dd30414241a78d70e378a1869646"
    /// An asserted source was not refreshed.
    case sourceExpired = "8ed4bb4d0b6c4df2a8e70596fcb6158c"

    /// The picture shows nothing that can be watched.
    case pictureImpaired = "e2879b9b73374670b532b9a5b78df8f6"
    /// The picture can be watched again.
    case pictureRestored = "634efed984934d1caa181c56a995c324"
    /// Detection takes more processor time than a camera's may.
    case detectionLimited = "4976cdc8c5e24824b8b0373d66b96305"
    /// It keeps to its budget again.
    case detectionWhole = "b94222c71c4246b4890e3f17849ac59e"
    /// The sub-stream cannot be had.
    case substreamLost = "8f51a9a125e045fab79717c11e655bf6"
    /// The sub-stream delivers again.
    case substreamBack = "119e6ce8ad60430e8fbe3a0a8cb18fad"
    /// The sub-stream delivers.
    case substreamStreaming = "1c0033beb3de4a03aa1bb2050a119571"
    /// The sub-stream was closed by order.
    case substreamClosed = "9d4f2ff5e21748b682dfe79da03241fd"

    // MARK: The recorder

    /// A clip is open.
    case clipOpened = "b712b8b20b1440d9b295b22c5350b530"
    /// A clip could not be opened.
    case clipOpenFailed = "36f1ad6a22054e6898150b036932d92e"
    /// A clip is durable.
    case clipClosed = "3a22960c5bd84b25ad9e0053addbb408"
    /// A clip could not be closed within its bound.
    case clipIncomplete = "28d5a196b3a04d91b3877fe5326f49da"
    /// Media could not be written.
    case writeFailed = "22ef10597a764ad6bcf9be53d4e31f80"
    /// Packets were dropped before they could be written.
    case ringOverrun = "deb1939c806d4f10b254b99f2f26f0ca"

    // MARK: Sessions

    /// A viewer opened a session.
    case sessionOpened = "8eef190a9de34b07bb018fc6bd8687e2"
    /// The live picture is shown.
    case sessionLive = "6af45aac36704b2b81f45a249370affe"
    /// A recording is shown.
    case sessionPlaying = "c882690db60242a684e8d2c4f544364a"
    /// A session did what its viewer asked, or what it showed ended.
    case sessionChanged = "1e2e7413063e4d19a8b351f307220042"
    /// A viewer records.
    case sessionRecording = "7807815216f248feb48a2c5ef4571298"
    /// What a viewer recorded is protected.
    case sessionRecorded = "be663d2bf89946e0b5a027c7c5c61989"
    /// A viewer talks.
    case sessionTalking = "5d4f2c0b8e7a4c1f9a36d27be1c80f53"
    /// A viewer has talked.
    case sessionTalked = "c19e7b3a60d5452e8bf4a7d1903ce268"
    /// A viewer by WebRTC is shown another stream than before.
    case sessionCarried = "eb61a660a9054dc380c53d77e23925a5"
    /// A request of a viewer was refused.
    case sessionRefused = "35c69bb135b24b519040ef6fcd4e66ec"
    /// A request of a viewer failed.
    case sessionFailed = "bd4bf5ccdcc0418391bec782f0f129d3"
    /// A session ended.
    case sessionEnded = "b9e063fd855f47d6817d38bd0f58270d"

    // MARK: Toggles and coverage

    /// The recording toggle was switched on.
    case recordingEnabled = "b5e05855cdc3415eb671a6276ae5becc"
    /// The recording toggle was switched off.
    case recordingDisabled = "70750e2d6b2340cfa716220e9840d1c4"
    /// A privacy switch was switched on.
    case privacyOn = "5a3d2b651a9f494f8e4bac5d5e978cad"
    /// A privacy switch was switched off.
    case privacyOff = "96b615bfb32d4279a2d42da8777e8741"
    /// Something was set for the camera over its policy, or no longer is.
    case settingChanged = "7c63a93b7f7e4ca58b9d811a3966726f"
    /// The mode in force changed.
    case modeChanged = "1992c42aa92044e980c379ecf1db31b4"
    /// The coverage label changed.
    case coverageChanged = "37b83fa91d3645b2a1c325dc0658dbce"

    // MARK: Storage

    /// Room is short; retention frees.
    case storageLow = "d2585f06212e4216be45cf0d55e0f6c5"
    /// Nothing can be written.
    case storageLost = "1a375e98f2da443e816cf63e64fadb3b"
    /// Room enough again.
    case storageOk = "c4d5c35fc40c4881baaefe9838cb751a"
    /// No retention rule may delete a clip any more.
    case clipProtected = "5f0a7c1e93c84b5d8d0e3fd7a96b2c14"
    /// A clip may be deleted by its rules again.
    case clipReleased = "c2d94e0b7a8f4f36b1f5e60d8a3714ce"
    /// A clip was deleted by a rule.
    case clipDeleted = "24b4c4d13af24f0689e66ef3479cd3d2"
    /// Room is needed, and nothing may be deleted.
    case retentionBlocked = "f1d58d6a9c0f41b2bcd5472fa0d9bd19"
    /// Recovery at start is done.
    case recoveryFinished = "50cd15afa8524322b3e9cb6c85be037a"
    /// A clip left open was closed by recovery.
    case clipRecovered = "6396e59c671f4e9abbb3881d09e0aa02"
    /// A file that no row claims was set aside.
    case fileSetAside = "41b9784acdd94304ab0f2a13cec0e8d7"
    /// The catalog is damaged.
    case catalogCorrupt = "fe85013b1992409db4a44da14c23eb63"

    // MARK: The cloud's store

    /// A job of the upload queue goes on.
    case uploadStage = "b42b25c1628a4a949183e7b71c4b6ef5"
    /// A clip is in the cloud, verified.
    case uploadDone = "b3f271aef1b347da9a6945d69dd6ebff"
    /// A job rests after its last try.
    case uploadFailed = "0cd672867696493e9b56b406c8a2bafb"
    /// A job is over, and nothing of its clip is in the cloud.
    case uploadEnded = "2b05a33efd5e4fd99d66d3ae6023926d"
    /// An upload waits for this machine's disk.
    case uploadsWait = "8691e3daa6ab408ba4b4f9388643ffe2"
    /// Pieces that were sent of a clip while it was recorded are not of its file.
    case uploadPiecesDiffer = "31061b17f8f04bbc9e4481a5c98fda8a"
    /// Nobody answers at the store.
    case storeUnreachable = "f6eb49e651c34e1c95812245d33aacfd"
    /// The store refuses for a reason that holds for every clip.
    case storeRefused = "f9ace057d2504f3495deaeb01cadcf75"
    /// Others may read what opens the store.
    case credentialExposed = "2b7fe75b9c114e46926cc37a9e164bd4"
    /// Clips are to be encrypted, and the key cannot be used.
    case cloudKeyUnusable = "6c1f0d8e3b7a4f259d42a0c5e87b1394"
    /// Clips are encrypted again.
    case cloudKeyUsable = "b93e5a417cd84602a1f7d20c6e3f58ab"
    /// The store takes clips again.
    case storeReachable = "69478a31b3524a9b96a2f34eb3c154c8"
    /// A clip is gone from the cloud.
    case remoteDeleted = "8eccd22509884088abb1b0a1d0e928fd"
    /// A clip that is to go from the cloud is still there.
    case remoteDeletionFailed = "88ba495384fe4db2a079f7cdc529e373"
    /// The list of a day in the cloud could not be put, or taken away.
    case dayListFailed = "f745b38811624e96a79fb83687e07be7"
    /// The lists of the cloud were made anew from the store.
    case cloudRebuilt = "f758e1444d7a41c4a697e5f038a1e265"

    /// A clip came back from the cloud to the disk.
    case clipFetched = "aece714b3cf54fe296583f69bfe5c4ee"
    /// A clip could not be brought back from the cloud.
    case clipFetchFailed = "b87bf116ed484e309f9fde198a186154"

    // MARK: Cloud plans

    /// A camera's cloud plan is another one, or has other dates.
    case planChanged = "503e7351c6e34e64a713a2f567557929"
    /// The provider's plans could not be loaded.
    case planLoadFailed = "9cde1b5d9cf04de8a84751a3b1f3959d"
    /// They can be loaded again.
    case planLoaded = "42b04cd5d32f48ee8e43faef10e3c067"
    /// What follows from a plan cannot be kept yet.
    case planUnkept = "b33fa8ca1e0e41b29bb40aa3f813ccab"
    /// Everything of a camera goes from the cloud: its plan ended long enough ago.
    case cloudPurged = "8d27f956c6c04d6bbcf8ec175fd11bb8"
    /// Clips go from the cloud by the policy's rule of age.
    case cloudClipsExpired = "38f49297ddc94ed08fc93d18758f0a9e"

    // MARK: The webhook

    /// The webhook's receiver takes nothing.
    case webhookFailing = "1dd1f1d44653457793d7a22a39719c43"
    /// It takes notices again.
    case webhookWorking = "296e91eb19614a94a5eecd55396011e6"
    /// It takes others, and not this one.
    case webhookRefused = "d144a6a889be4600a358763dac86dbbe"
    /// Notices that waited for it are given up.
    case webhookDropped = "98a22d178a49411d866e598f242f9f04"

    // MARK: Notifications

    /// A receiver takes nothing.
    case receiverFailing = "9ab7215670abbaff6debaeb1d425f5f3"
    /// It takes messages again.
    case receiverWorking = "f4eda759c0c54925e93d4a3d6f137fd8"
    /// A receiver that took nothing is not configured any more.
    case receiverRemoved = "7a0e4b99cde1425794562b58746937ae"
    /// Messages that waited for a receiver are given up.
    case notificationGivenUp = "2bce8d7c69e5436bc166c29bb7bed992"
    /// Somebody sent a receiver a trial.
    case receiverTried = "5bf4bfafe34d4889bbc0e70ea151bad5"

    // MARK: Transports

    /// A transport of a camera was allocated, modified, switched or taken away.
    case transportChanged = "c2cf3cf9670741c88834651d4a6e9d0b"
    /// A transport records.
    case transportBegan = "9626a5031ee04a118ace94bdeebafc3e"
    /// It records no longer.
    case transportEnded = "ba5264fd79ec41bdaaea7ecc8ad65541"
    /// A session of a transport is pushed.
    case transportPushBegan = "f0a5d89e9888317d9485f6803bd7adb3"
    /// A session was pushed whole.
    case transportPushed = "e40be3d6a9aaef31f9aaa98e5319caf1"
    /// An address takes nothing.
    case transportPushWaits = "27973392ba2cb1ffbf06a2845a388ef2"
    /// It takes again.
    case transportPushGoesOn = "f1400dca659f93c7e0c1bcf1d43307f5"
    /// A session is pushed no further.
    case transportPushGivenUp = "0b247b84f17103e2d1fb84f3d224b3bf"

    // MARK: What cameras push

    /// Somebody pushes to a camera.
    case ingestBegan = "5a5caff5b535afcc255ef53269a76bee"
    /// Something that was pushed was not taken.
    case ingestRefused = "7d53c8fcd716a5be07f327fcbbf63868"
    /// Nobody may push to a camera, because who may cannot be read.
    case ingestKeysUnreadable = "68b8c9830ae1540757f96649c766d658"

    // MARK: Events of cameras by ONVIF

    /// A camera was turned or zoomed, or a position was kept.
    case cameraTurned = "288258cf1da9a868705ab68fae3dfc03"
    /// A camera tells what its own detector and inputs notice.
    case onvifSubscribed = "714763bf68de4efca759425245800e60"
    /// It does not, or no more.
    case onvifLost = "6dadf585a1b043418588e38777a0943f"
    /// A camera had lost what is set of it, and it was set anew.
    case deviceSettingRestored = "3545c9f50bb1a44510a591741c0bcbe0"
    /// A camera does not take what is set of it.
    case deviceSettingRefused = "c68dc82b6a7946afc2b552ea19f12de3"

    // MARK: The broker of MQTT

    /// The broker takes what is published.
    case mqttConnected = "6bb3936877c821c5af433d87028d834c"
    /// There is no connection to the broker.
    case mqttLost = "f2bdb580016f50824e0d6883470133a8"
    /// The broker goes on, and does not take part of what it was asked for.
    case mqttRefused = "ad7a6cd2cae48b06e73865b62c561155"
    /// A message from the broker is no command that counts.
    case mqttIgnored = "7ad1158ee4cd82d2fe37ae3274fc447b"
    /// A command from the broker could not be carried out.
    case mqttCommandFailed = "13828de5e9241a056a9c13c29cce5159"
    /// A broker may keep pictures that nobody publishes there any more.
    case mqttNotEmptied = "4cc9b05924434ebb9702c83defe28df4"
    /// It keeps none any more.
    case mqttEmptied = "4ebf36aae54e44d2a50ceaf4b062d923"

    // MARK: The machines and their trace

    /// A step of a camera's machine: the trace.
    case machineStep = "cf79a96a74564b988caa4664231b16ae"
    /// An input did not fit and was ignored.
    case machineIgnored = "c76a3b8d3b784af983064c42f4a4886a"
    /// The machine owes something for too long.
    case obligationOverdue = "688edfeb6a32496dbe02dc04dae41275"
    /// Records were lost before journald took them.
    case journalLost = "9b82cf60adcf45f88d3f89daa14133a8"
    /// The wall clock jumped.
    case clockStepped = "c9b689410fe84f1eb1a75622e5caa04e"
    /// The wall clock is too far ahead to be believed at once.
    case clockDoubted = "ac2f2f5f09c5466aa127f5fa98a26ed4"
    /// The trace of the machines cannot be written.
    case traceFailed = "dcc5611aef5b4c4ab9f56ae073e23353"
    /// The trace is written again.
    case traceResumed = "464528df7053439caa1de3135047826d"
    /// A torn end of the trace was cut off.
    case traceCut = "30fd1989bd154f0caf7a9b7dad5c6a10"
    /// Records of the trace do not fit.
    case traceDamaged = "1702d73699524d95b389f5bf57552af4"
    /// A file of the trace was deleted by a rule.
    case traceDeleted = "d16e0b861e48491b951d665066c6a0f3"
    /// A file of the trace cannot be read or deleted, and is left as it is.
    case traceFileSkipped = "c7334564939847a896ab89088b032a29"

    // MARK: The API and libraries

    /// A token was made.
    case tokenCreated = "8b99d97e1f694418b0be75fa7cb8934e"
    /// A token was revoked.
    case tokenRevoked = "5f8c0776c7154a009359e57fa8704ca0"
    /// A link was made that logs the page in.
    case loginLinkMade = "d9b50149ca9f4f4684fea1d760e13bd1"
    /// The page logged in.
    case loggedIn = "4c1cd01354cd413dad0404eaeaca44a1"
    /// The page logged out.
    case loggedOut = "2deaa8d8934a473db68e36519dfd56d9"
    /// Wrong tries to log in are not looked at any more.
    case loginTriesRefused = "4ac1bfa24e4d41219cfd7ecd9624e09b"
    /// The file of tokens cannot be trusted.
    case tokensUnreadable = "a2ace1d9bc8146ff8bdad3a99781ec6d"
    /// Tokens cannot be kept.
    case tokensUnkept = "09b73078c6664d5dbdd9e589d804af35"
    /// Somebody looked at pictures of a camera.
    case picturesViewed = "a12ca047b2d34a8d885594dccbd4fc0e"
    /// Somebody took recordings away as a file.
    case recordingExported = "4ba82e80e21f483ca0b83b5d81211f4d"
    /// Somebody cleared messages.
    case messagesCleared = "fdd8ef68f0d8491880c8adde42a720fc"
    /// HTTP speaks TLS with a certificate.
    case certificateLoaded = "843475530dc04fe99cb4622ad95a942e"
    /// A certificate that changed cannot be used.
    case certificateRefused = "3308b53975d447fb9ab82b63291c60b7"
    /// Live view by WebRTC is not served.
    case webrtcMissing = "2a5e9d4f1c7b4e0c8f63b1d2907ac45e"
    /// There is no web page to serve.
    case pageMissing = "7b60e9badbd047b795bf2ec14a9a7674"
    /// A request that was being answered broke off.
    case requestBrokeOff = "268173a8e57048f4afaaa9d202ba7c8f"
    /// Connections were closed because of their client.
    case clientsCutOff = "28d108c5fa134943955db88d6b008e06"
    /// A clip, or a part of it, could not be exported.
    case exportIncomplete = "f6d8462013a94fbf9807e4f7250ef2f8"
}
