import Testing

@testable import Daemon

@Suite("Which recordings of a transport may be pushed")
struct PushPermissionTests {
    @Test("the end of a recording may leave though the next has begun; what was forbidden may not, whatever begins")
    func order() {
        var permission = PushPermission()
        let first = permission.begin()
        let second = permission.begin()
        #expect(permission.allows(first) && permission.allows(second))
        #expect(permission.forbid() == second)
        #expect(!permission.allows(first) && !permission.allows(second))
        let third = permission.begin()
        #expect(permission.allows(third) && !permission.allows(first) && !permission.allows(second))
    }
}
