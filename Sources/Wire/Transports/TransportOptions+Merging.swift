extension TransportOptions {
    /// These options with all that `before` says and they do not. What belongs to another kind of trigger is not kept.
    package func merged(over before: TransportOptions) -> TransportOptions {
        var all = self
        all.streamUsage = streamUsage ?? before.streamUsage
        if videoStreamID == nil { all.videoStreams = videoStreams ?? before.videoStreams }
        if audioStreamID == nil { all.audioStreams = audioStreams ?? before.audioStreams }
        all.tlsEndpointID = tlsEndpointID ?? before.tlsEndpointID
        all.url = url ?? before.url
        all.ingestMethod = ingestMethod ?? before.ingestMethod
        all.triggerOptions = triggerOptions.map { $0.merged(over: before.triggerOptions) } ?? before.triggerOptions
        all.containerOptions =
            containerOptions.map { $0.merged(over: before.containerOptions) } ?? before.containerOptions
        all.expiryTime = expiryTime ?? before.expiryTime
        return all
    }
}

extension TransportTriggerOptions {
    fileprivate func merged(over before: Self?) -> Self {
        guard let before, triggerType == nil || triggerType == before.triggerType else { return self }
        return Self(
            triggerType: before.triggerType, motionZones: motionZones ?? before.motionZones,
            motionSensitivity: motionSensitivity ?? before.motionSensitivity,
            motionTimeControl: motionTimeControl.map { $0.merged(over: before.motionTimeControl) }
                ?? before.motionTimeControl,
            maxPreRollLen: maxPreRollLen ?? before.maxPreRollLen)
    }
}

extension TransportTimeControl {
    fileprivate func merged(over before: Self?) -> Self {
        Self(
            initialDuration: initialDuration ?? before?.initialDuration,
            augmentationDuration: augmentationDuration ?? before?.augmentationDuration,
            maxDuration: maxDuration ?? before?.maxDuration, blindDuration: blindDuration ?? before?.blindDuration)
    }
}

extension TransportContainerOptions {
    fileprivate func merged(over before: Self?) -> Self {
        let (new, old) = (cmafContainerOptions, before?.cmafContainerOptions)
        return Self(
            containerType: containerType ?? before?.containerType,
            cmafContainerOptions: new == nil
                ? old
                : CMAF(
                    cmafInterface: new?.cmafInterface ?? old?.cmafInterface,
                    segmentDuration: new?.segmentDuration ?? old?.segmentDuration,
                    chunkDuration: new?.chunkDuration ?? old?.chunkDuration,
                    sessionGroup: new?.sessionGroup ?? old?.sessionGroup, trackName: new?.trackName ?? old?.trackName))
    }
}
