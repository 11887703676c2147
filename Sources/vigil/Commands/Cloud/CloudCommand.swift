internal import ArgumentParser

/// `vigil cloud`: the list of its subcommands.
struct CloudGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud", abstract: "Clips in the cloud: what waits, what is there, and what the plan says.",
        subcommands: [
            CloudStatusCommand.self, CloudRefreshCommand.self, CloudLapseCommand.self, CloudQueueCommand.self,
            CloudPushCommand.self, CloudRetryCommand.self, CloudCancelCommand.self, CloudDaysCommand.self,
            CloudSlicesCommand.self, CloudEventsCommand.self, CloudURLCommand.self, CloudFetchCommand.self,
            CloudRebuildCommand.self, CloudKeyGroup.self,
        ])
}
