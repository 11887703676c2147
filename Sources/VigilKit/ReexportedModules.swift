// Whoever uses the kit speaks of what the daemon answers: the types of the interface, and the words of the machines in them.
@_exported public import Machines
@_exported public import Wire
