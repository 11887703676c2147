extension Subject {
    /// What is asked along walks at random: the plans, which follow from their input alone, and what the worlds of the machines leave
    /// out, such as many sources and times between two ticks.
    public static func walks() -> [Subject] {
        [
            Subject("Camera-sources", SourceClaims.walks),
            Subject("Camera-sourceTimes", SourceTimeClaims.walks),
            Subject("Camera-cutTimes", CutTimeClaims.walks),
            Subject("Camera-commands", CommandClaims.walks),
            Subject("Camera-detections", DetectionClaims.walks),
            Subject("Camera-dials", DialClaims.walks),
            Subject("Camera-orders", OrderClaims.walks),
            Subject("Upload-transfers", TransferClaims.walks),
            Subject("Session-positions", PositionClaims.walks),
            Subject("Subscription-restored", RestoredPlanClaims.walks),
            Subject("Plans-retention", RetentionClaims.walks),
            Subject("Plans-cloudRetention", CloudRetentionClaims.walks),
            Subject("Plans-coverage", CoverageClaims.walks),
            Subject("Plans-zones", ZoneClaims.walks),
        ]
    }
}
