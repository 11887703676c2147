// Whoever uses the server speaks of what it answers.
@_exported public import Wire
