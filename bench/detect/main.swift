// Runs the motion detector over files and prints what it sees: a line of JSON for each observation, and one with the cost.
//   bench-detect [--zone X,Y,W,H] [--quick | --full] [--set NAME=NUMBER]… FILE…
//   bench-detect --load CAMERAS SECONDS [--threads N] FILE
// --zone: a rectangle in shares of the picture; only what moves inside of it counts. --quick: key frames only;
// --full: no rest.
// --load: plays the file as so many cameras at once and prints what detection costs.
import Foundation
import Machines
import Media

var configuration = MotionConfiguration()
var files: [String] = []
var load: (cameras: Int, seconds: Double)?
var threads: Int?
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
    switch word {
    case "--load":
        guard let cameras = Int(words.popFirst() ?? ""), let seconds = Double(words.popFirst() ?? ""), cameras > 0
        else {
            fail("--load needs CAMERAS SECONDS")
        }
        load = (cameras, seconds)
    case "--threads": threads = Int(words.popFirst() ?? "")
    case "--quick": configuration.depth = .keyFrames
    case "--full": configuration.depth = .full
    case "--zone":
        let numbers = (words.popFirst() ?? "").split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 4 else { fail("--zone needs X,Y,W,H") }
        // What lies around it is masked, so that the score printed is that of the zone too.
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        configuration.zones = MotionZones(masks: [
            PicturePolygon(x: 0, y: 0, width: 1, height: y),
            PicturePolygon(x: 0, y: y + height, width: 1, height: 1 - y - height),
            PicturePolygon(x: 0, y: y, width: x, height: height),
            PicturePolygon(x: x + width, y: y, width: 1 - x - width, height: height),
        ])
    case "--set":
        let parts = (words.popFirst() ?? "").split(separator: "=")
        guard parts.count == 2, let value = Double(parts[1]) else { fail("--set needs NAME=NUMBER") }
        set(String(parts[0]), to: value)
    default: files.append(word)
    }
}

/// Changes a number of the model, for trying out; the program itself has one set of numbers.
@MainActor func set(_ name: String, to value: Double) {
    let doubles: [String: WritableKeyPath<MotionParameters, Double>] = [
        "rate": \.rate, "lagSeconds": \.lagSeconds, "backgroundShare": \.backgroundShare,
        "backgroundStep": \.backgroundStep, "lightShare": \.lightShare, "lightTexture": \.lightTexture,
        "differenceMax": \.differenceMax,
        "noiseShare": \.noiseShare, "noiseFloor": \.noiseFloor, "noiseClamp": \.noiseClamp, "cellOnset": \.cellOnset,
        "cellFloor": \.cellFloor, "evidenceMax": \.evidenceMax, "evidenceKept": \.evidenceKept,
        "focusContrast": \.focusContrast, "focusContrastMax": \.focusContrastMax, "focusNone": \.focusNone,
        "focusFull": \.focusFull,
        "lineLength": \.lineLength, "lineNone": \.lineNone, "lineFull": \.lineFull, "chancePlaces": \.chancePlaces,
        "lonelyShare": \.lonelyShare, "lonelyLearning": \.lonelyLearning, "lonelyEvidence": \.lonelyEvidence,
        "weightMin": \.weightMin, "sceneShare": \.sceneShare, "highThreshold": \.highThreshold,
        "mediumThreshold": \.mediumThreshold, "lowThreshold": \.lowThreshold,
    ]
    let integers: [String: WritableKeyPath<MotionParameters, Int>] = [
        "lightRadius": \.lightRadius, "shakeMax": \.shakeMax, "reach": \.reach, "warmUp": \.warmUp,
    ]
    if let path = doubles[name] {
        configuration.parameters[keyPath: path] = value
    } else if let path = integers[name] {
        configuration.parameters[keyPath: path] = Int(value)
    } else {
        fail("no number is called \(name)")
    }
}

func fail(_ why: String) -> Never {
    FileHandle.standardError.write(Data("bench-detect: \(why)\n".utf8))
    exit(2)
}

func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

if let load {
    guard let file = files.first else { fail("--load needs a file") }
    Load.run(
        file: file, cameras: load.cameras, seconds: load.seconds, threads: threads, configuration: configuration)
    exit(0)
}

for file in files {
    do {
        let cost = try DetectionRun.run(path: file, configuration: configuration) { observation in
            let level = observation.level?.rawValue
            let boxes = observation.regions.map {
                "[\(rounded($0.box.x)),\(rounded($0.box.y)),\(rounded($0.box.width)),\(rounded($0.box.height))]"
            }
            let conditions = observation.conditions.map { "\"\($0.holds ? "" : "-")\($0.condition.rawValue)\"" }
            print(
                "{\"t\":\(rounded(Double(observation.pts) / 90_000)),\"level\":\(level.map(String.init) ?? "null"),"
                    + "\"score\":\(rounded(observation.score)),\"share\":\(rounded(observation.movingShare)),"
                    + "\"boxes\":[\(boxes.joined(separator: ","))],\"conditions\":[\(conditions.joined(separator: ","))]}"
            )
        }
        print(
            "{\"file\":\"\(file)\",\"fed\":\(cost.fed),\"sent\":\(cost.sent),\"rested\":\(cost.rested),\"decoded\":\(cost.decoded),"
                + "\"observed\":\(cost.observed),\"undecodable\":\(cost.undecodable),"
                + "\"decoding_s\":\(rounded(Double(cost.decodingNs) / 1e9)),"
                + "\"detection_s\":\(rounded(Double(cost.detectionNs) / 1e9))}")
    } catch {
        fail("\(error)")
    }
}
