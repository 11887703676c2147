/// The numbers of the motion model. They are the same for every camera; docs/design/detection.md says where each comes from.
/// Grey levels are those of 0…255; "an observation" is one picture looked at, normally every 0.2 s.
public struct MotionParameters: Hashable, Sendable {
    /// How often the model looks at a picture, in observations a second of media time.
    public var rate = 5.0
    /// The earlier picture that a new one is compared with besides the background: the youngest that is at least this old, in s.
    public var lagSeconds = 0.35
    /// How fast the background follows: share of the difference per observation of 0.2 s.
    public var backgroundShare = 1.0 / 16
    /// The most that the background moves per observation, in grey levels; keeps what passes by from sinking in.
    public var backgroundStep = 1.0
    /// How fast the background takes over a new light: share per observation.
    public var lightShare = 0.25
    /// Half the side of the window in which a common change of light is taken off, in pixels.
    public var lightRadius = 8
    /// How much of such a change may stay between light and dark things in the window, since light makes light things brighter
    /// than dark ones, 0…1.
    public var lightTexture = 1.0 / 8
    /// A difference counts up to this many grey levels; more says nothing more.
    public var differenceMax = 16.0
    /// The largest displacement of the whole picture that is undone, in pixels.
    public var shakeMax = 6
    /// How fast a cell's own noise is learnt: share per observation of 0.2 s.
    public var noiseShare = 1.0 / 40
    /// The least deviation that a cell is believed to have, in grey levels.
    public var noiseFloor = 0.2
    /// A cell's deviation counts for learning up to this many times its deviation.
    public var noiseClamp = 5.0
    /// A cell is moving when its difference passes its mean by this many deviations …
    public var cellOnset = 2.0
    /// … and is at least this many grey levels.
    public var cellFloor = 0.3
    /// The most that one observation of one cell adds to a track, in deviations beyond `cellOnset`.
    public var evidenceMax = 5.0
    /// What is left of a track's evidence after an observation.
    public var evidenceKept = 0.75
    /// A blob that became brighter by at least this many grey levels is judged by its focus …
    public var focusContrast = 12.0
    /// … which is its steepest slope, in shares of its contrast per pixel: with this or less it tells nothing …
    public var focusNone = 0.25
    /// … and with this or more it tells in full.
    public var focusFull = 0.35
    /// The contrast counts up to this many grey levels: lamps have a halo that is out of focus around a light that is not.
    public var focusContrastMax = 140.0
    /// A blob that is at least this long, in pixels (standard deviation along its longer axis), is judged by its shape …
    public var lineLength = 10.0
    /// … which is its width by its length: with this or less it is a line and tells nothing …
    public var lineNone = 0.12
    /// … and with this or more it tells in full.
    public var lineFull = 0.16
    /// How many cells a track may go on in one observation, in either direction.
    public var reach = 2
    /// In how many places chance may put something in the way of a track that goes on by more than one cell: 16 cells in each
    /// of the three observations that are wanted in a row.
    public var chancePlaces = 48.0
    /// The share of lonely moving cells at which one cell tells in full; more of them, and each tells less. A cell counts by
    /// what it adds, of `evidenceMax`.
    public var lonelyShare = 0.003
    /// How fast that share is learnt, per observation.
    public var lonelyLearning = 1.0 / 25
    /// A moving cell is lonely when no track with at least this evidence leads to it from where it is or from next to it.
    public var lonelyEvidence = 2.0
    /// The least that a moving cell tells in the worst weather, of 1.
    public var weightMin = 0.4
    /// When more than this share of all cells moves at once, it is the scene that has changed and not something in it.
    public var sceneShare = 0.6
    /// Observations without a verdict after the begin and after a change of scene.
    public var warmUp = 2
    /// A pause of the media longer than this ends all tracks, in s.
    var gapSeconds = 3.0
    /// The evidence at which sensitivity 10 notices; above `evidenceMax`, so that no single observation is enough.
    public var highThreshold = 7.0
    /// The evidence at which sensitivity 5 notices; two observations cannot reach it, three can.
    public var mediumThreshold = 9.5
    /// The evidence at which sensitivity 1 notices; three observations cannot reach it, four can.
    public var lowThreshold = 12.0

    /// The numbers in use.
    public init() {}
}
