/// The explorer at the command line: prints what the machines do in the worlds of Adversary.
@main
struct Explore {
    static func main() {
        print("usage: explore")
    }
}
