/// The version of Vigil.
public let vigilVersion = "0.1.0"
