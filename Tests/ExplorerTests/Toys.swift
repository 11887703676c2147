import Explorer

extension Toy {
    static var all: [Toy] {
        [
            Toy(
                name: "Stutter", model: Digraph("a", steps: ["a go b", "b on c", "c back b"]),
                fairness: [
                    "none": [], "go": [weak("go")], "on": [weak("on")], "goOn": [weak("go"), weak("on")],
                    "either": [weak("go", "on")],
                ],
                asks: ["goes": .leads("a", "b"), "arrives": .leads("a", "c"), "returns": .again("b")]),
            Toy(
                name: "SelfLoop",
                model: Digraph("a", steps: ["a spin a", "a go a", "a go b", "a leave c", "b hold b"]),
                fairness: [
                    "none": [], "spin": [weak("spin")], "spinStrong": [strong("spin")], "go": [weak("go")],
                    "goStrong": [strong("go")], "leaveHold": [weak("leave"), strong("hold")],
                ],
                always: ["moves": .moves],
                asks: ["leaves": .leaves("a"), "reachesB": .leads("a", "b")]),
            Toy(
                name: "UnfairCycle", model: Digraph("a", steps: ["a x b", "b y a", "a go c", "b go c"]),
                fairness: [
                    "none": [], "go": [weak("go")], "round": [weak("x"), weak("y")],
                    "roundStrong": [strong("x"), strong("y")], "next": [weak("x", "y", "go")],
                ],
                asks: ["reaches": .leads("a", "c"), "stays": .again("c"), "visitsB": .leads("a", "b")]),
            Toy(
                name: "WeakStrong", model: Digraph("a", steps: ["a x b", "b y a", "a go c"]),
                fairness: [
                    "none": [], "weak": [weak("go")], "strong": [strong("go")],
                    "weakMoves": [weak("go"), weak("x"), weak("y")],
                    "strongMoves": [strong("go"), weak("x"), weak("y")],
                ],
                asks: ["reaches": .leads("a", "c"), "returns": .leads("b", "a")]),
            Toy(
                name: "SubCycle", model: Digraph("a", steps: ["a x b", "b y a", "b down d", "d back a", "d go c"]),
                fairness: [
                    "none": [], "go": [strong("go")], "back": [strong("back")], "down": [strong("down"), weak("x")],
                    "downGo": [strong("down"), strong("go"), weak("x")],
                    "downGoWeak": [strong("down"), weak("go"), weak("x")],
                    "all": [weak("x"), strong("y"), strong("down"), strong("back"), strong("go")],
                ],
                asks: ["reaches": .leads("a", "c"), "visitsD": .leads("a", "d"), "leavesD": .leaves("d")]),
            Toy(
                name: "Nested",
                model: Digraph(
                    "0",
                    steps: [
                        "0 round 1", "1 round 2", "2 round 3", "3 round 4", "4 round 5", "5 round 0", "1 short 0",
                        "5 short 4", "3 p 6", "4 q 6", "0 r 6",
                    ]),
                fairness: [
                    "none": [], "p": [strong("p"), weak("round")], "pq": [strong("p"), strong("q"), weak("round")],
                    "pqr": [strong("p"), strong("q"), strong("r"), weak("round")],
                    "pqrWeak": [weak("p"), weak("q"), weak("r"), weak("round")],
                    "qr": [strong("q"), strong("r"), weak("round")], "roundR": [strong("round"), strong("r")],
                ],
                asks: ["ends": .leads("0", "6"), "endsFrom4": .leads("4", "6"), "visits4": .leads("0", "4", "6")]),
            Toy(
                name: "Together",
                model: Digraph("a", steps: ["a l b", "b l a", "a r d", "d r a", "b p c", "d q c"]),
                fairness: [
                    "none": [], "p": [strong("p"), weak("l", "r")], "q": [strong("q"), weak("l", "r")],
                    "pq": [strong("p"), strong("q"), weak("l", "r")],
                    "pqApart": [strong("p"), strong("q"), weak("l"), weak("r")],
                    "pqWeak": [weak("p"), weak("q"), weak("l", "r")], "either": [strong("p", "q"), weak("l", "r")],
                ],
                asks: ["reaches": .leads("a", "c"), "leavesA": .leaves("a")]),
            Toy(
                name: "Somewhere",
                model: Digraph(
                    "a", steps: ["a step b", "b step c", "c step a", "b rest a", "a alarm e", "b alarm e", "c ring e"]),
                fairness: [
                    "none": [], "alarm": [weak("alarm")], "alarmStrong": [strong("alarm")],
                    "alarmRing": [weak("alarm"), strong("ring")], "ring": [strong("ring"), weak("step")],
                    "step": [strong("step")],
                ],
                asks: ["ends": .leads("a", "e"), "visitsC": .leads("a", "c", "e")]),
            Toy(
                name: "Join",
                model: Digraph("a", steps: ["a left b", "a right c", "b meet d", "c meet d", "d over e"]),
                fairness: [
                    "none": [], "next": [weak("left", "right", "meet", "over")],
                    "left": [weak("left", "right", "meet", "over"), strong("left")],
                ],
                asks: [
                    "visitsB": .leads("a", "b"), "visitsC": .leads("a", "c"), "visitsEither": .leads("a", "b", "c"),
                    "joins": .leads("a", "d"), "ends": .leads("b", "e"), "bSeen": .leads("d", "b"),
                ]),
            Toy(
                name: "Begin", model: Digraph("a", "b", "f", steps: ["a go c", "b go d", "d back a", "c again a"]),
                fairness: ["none": [], "go": [weak("go")], "next": [weak("go", "back", "again")]],
                asks: [
                    "atOnce": .leads("b", "b", "c"), "both": .leadsTo({ "ab".contains($0) }, { "bc".contains($0) }),
                    "past": .leads("c", "b"), "empty": .leads("nowhere", "c"),
                    "fromAll": .leadsTo({ "abf".contains($0) }, { "af".contains($0) }), "again": .again("c", "f"),
                ]),
            Toy(
                name: "Ends",
                model: Digraph("a", steps: ["a stop b", "a sleep c", "c snore c", "a walk d", "d walk a"]),
                fairness: [
                    "none": [], "next": [weak("stop", "sleep", "snore", "walk")],
                    "ends": [strong("stop", "sleep"), weak("walk")],
                    "snore": [weak("stop", "sleep", "snore", "walk"), strong("snore")],
                ],
                always: ["moves": .moves, "neverB": .always { $0 != "b" }],
                asks: ["ends": .leads("a", "b", "c"), "wakes": .leads("c", "d"), "walks": .leads("b", "d")]),
            watchdog, ticks,
            Toy(
                name: "Way",
                model: Digraph(
                    "home", steps: ["home out out", "out home home", "out fall pit", "pit dig deep", "deep climb pit"]),
                fairness: [
                    "none": [],
                    "each": [strong("out"), strong("home"), strong("fall"), strong("dig"), strong("climb")],
                    "weak": [weak("out", "home", "fall", "dig", "climb")],
                ],
                asks: ["home": .again("home"), "deep": .again("deep"), "rim": .again("out", "pit")]),
        ]
    }

    /// States: the phase and the tries.
    private static var watchdog: Toy {
        Toy(
            name: "Watchdog",
            model: Digraph(
                "idle0",
                steps: [
                    "idle0 dial dialing0", "idle1 dial dialing1", "idle2 dial dialing2", "dialing0 fire idle1",
                    "dialing1 fire idle2", "dialing2 fire idle2", "dialing0 answer ready0", "dialing1 answer ready0",
                    "dialing2 answer ready0", "ready0 lose idle0",
                ]),
            fairness: [
                "none": [], "dial": [weak("dial")], "answer": [weak("dial"), weak("answer")],
                "answerStrong": [weak("dial"), strong("answer")], "answerOnly": [strong("answer")],
                "next": [weak("dial", "fire", "answer", "lose")],
            ],
            always: [
                "triesGrow": .steps { before, _, after in
                    after.suffix(1) >= before.suffix(1) || after.hasPrefix("ready")
                },
                "triesFew": .always { $0.suffix(1) < "2" },
            ],
            asks: [
                "ready": .leadsTo({ $0.hasPrefix("idle") }, { $0.hasPrefix("ready") }),
                "settles": .leadsTo({ $0.hasPrefix("dialing") }, { !$0.hasPrefix("dialing") }),
                "again": .again("ready0"),
            ])
    }

    /// States: the phase, the ticks left, the ticks until the answer is owed.
    private static var ticks: Toy {
        Toy(
            name: "Ticks",
            model: Digraph(
                "idle00",
                steps: [
                    "idle00 soon dialing21", "idle00 late dialing22", "dialing21 tick dialing10",
                    "dialing22 tick dialing11", "dialing11 tick dialing00", "dialing00 fire idle00",
                    "dialing21 answer ready00", "dialing22 answer ready00", "dialing10 answer ready00",
                    "dialing11 answer ready00", "ready00 lose idle00",
                ]),
            fairness: [
                "none": [], "answer": [weak("soon", "late"), weak("answer")],
                "soon": [weak("soon", "late"), weak("answer"), weak("tick"), weak("fire"), strong("soon")],
                "late": [weak("soon", "late"), weak("answer"), weak("tick"), weak("fire"), strong("late")],
                "ticks": [weak("tick"), weak("fire")], "next": [weak("soon", "late", "tick", "fire", "answer", "lose")],
            ],
            always: ["fires": .always { $0.hasPrefix("idle") || $0.suffix(2) > "09" }],
            asks: [
                "ready": .leadsTo({ $0 == "idle00" }, { $0 == "ready00" }),
                "settles": .leadsTo({ $0.hasPrefix("dialing") }, { !$0.hasPrefix("dialing") }),
            ])
    }
}
