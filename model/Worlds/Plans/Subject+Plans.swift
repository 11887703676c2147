extension Subject {
    /// The plans: what follows from its input alone.
    public static func plans() -> [Subject] {
        [
            Subject("Plans-retention", RetentionClaims.walks),
            Subject("Plans-cloudRetention", CloudRetentionClaims.walks),
            Subject("Plans-coverage", CoverageClaims.walks),
            Subject("Plans-zones", ZoneClaims.walks),
        ]
    }
}
