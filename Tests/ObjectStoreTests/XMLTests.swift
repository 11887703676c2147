import Testing

@testable import ObjectStore
@testable import XML

@Suite("Answers in XML")
struct XMLTests {
    private func parse(_ text: String) throws -> XMLNode { try XMLNode.parse(Array(text.utf8)) }

    @Test("A document is read with its prefixes, attributes, comments, CDATA and references")
    func document() throws {
        let root = try parse(
            "\u{feff}<?xml version=\"1.0\"?>\n<!-- a > b --><s3:A xmlns:s3='x>y' b=\"1\"><B>&lt;&#228;&#x1F3A5;&amp;</B><B><![CDATA[<&]]>z</B><C/></s3:A>\n"
        )
        #expect(root.name == "A")
        #expect(root.all("B").map(\.text) == ["<ä🎥&", "<&z"])
        #expect(root.child("C")?.children.isEmpty == true)
    }

    @Test("Attributes are read by their names without prefixes; declarations are none, and of two the first counts")
    func attributes() throws {
        let root = try parse("<a xmlns='u' xmlns:p=\"v\" p:b='1 &amp; 2' b='3' p:xmlns='4' p:='5' c=\"x'y\"/>")
        #expect(root.attributes == ["b": "1 & 2", "c": "x'y"])
    }

    @Test(
        "What is no such document is refused",
        arguments: [
            "", "   ", "text", "<a>", "<a></b>", "<a/><b/>", "<a></a>x", "</a>", "<a", "<a b></a>", "<a b=c></a>",
            "<a b='<'/>", "<a b='&x;'/>", "<a b=\"c'/>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a>&x;</a>", "<a>&#0;</a>",
            "<a>&#xD800;</a>",
            "<a>&#x110000;</a>", "<a>&#-5;</a>", "<a>&#+5;</a>", "<a>&amp</a>", "<a>&", "<a><!-- x</a>",
            "<a><![CDATA[x</a>",
            "<![CDATA[x]]><a/>", "<?xml", "<1 2 3>", "<a:/>", "<:/>", "< a/>", "<a/ >", "<a//>", "<a><b></a></b>",
        ])
    func refused(_ text: String) { #expect(throws: XMLDefect.self) { try parse(text) } }

    @Test("Bytes that are no UTF-8 are refused")
    func utf8() {
        for bytes: [UInt8] in [[0xff], [0x3c, 0x61, 0x3e, 0xc0, 0x80, 0x3c, 0x2f, 0x61, 0x3e]] {
            #expect(throws: XMLDefect.self) { try XMLNode.parse(bytes) }
        }
    }

    @Test("Bytes that are no UTF-8 are repaired where that is wanted")
    func repaired() throws {
        let root = try XMLNode.parse(
            [0x3c, 0x61, 0x3e, 0xc4, 0x3c, 0x2f, 0x61, 0x3e], within: XMLBounds(repairsText: true))
        #expect(root.text == "\u{fffd}")
    }

    @Test("An element knows the namespace of its prefix, and can be put into another document")
    func namespaces() throws {
        let root = try parse(
            "<a xmlns='urn:d' xmlns:p='urn:1'><p:b x='1 &lt; 2' p:y='3' xmlns:p='urn:2'>t<c/></p:b><p:b/><q:b/></a>")
        #expect(root.namespace == "urn:d")
        #expect(root.children.map(\.namespace) == ["urn:2", "urn:1", nil])
        let copy = try #require(root.children[0].markup(with: " more=\"yes\"", max: 200))
        #expect(root.children[0].markup(with: " more=\"yes\"", max: copy.utf8.count) == copy)
        #expect(root.children[0].markup(with: " more=\"yes\"", max: copy.utf8.count - 1) == nil)
        let again = try parse("<z xmlns='urn:other'>\(copy)</z>").children[0]
        #expect(again.namespace == "urn:2" && again.name == "b" && again.text == "t")
        #expect(again.attributes == ["x": "1 < 2", "y": "3", "more": "yes"])
        #expect(again.children.map(\.namespace) == ["urn:d"])
        // An empty namespace is none, and no prefix may stand for it.
        #expect(try parse("<a xmlns='urn:d'><b xmlns=''>5</b></a>").children[0].markup(max: 99) == "<b>5</b>")
    }

    @Test("Depth, names, attributes, elements and bytes are bounded")
    func bounds() throws {
        let deep = String(repeating: "<a>", count: XMLBounds().depth)
        let ends = String(repeating: "</a>", count: XMLBounds().depth)
        #expect(throws: Never.self) { try parse(deep + ends) }
        #expect(throws: XMLDefect.self) { try parse("<a>" + deep + ends + "</a>") }
        #expect(throws: XMLDefect.self) { try parse("<\(String(repeating: "a", count: XMLReader.nameMax + 1))/>") }
        let attributes = (0...XMLBounds().attributes).map { " a\($0)=''" }.joined()
        #expect(throws: XMLDefect.self) { try parse("<a\(attributes)/>") }
        #expect(throws: XMLDefect.self) {
            try parse("<a>" + String(repeating: "<b/>", count: XMLBounds().elements) + "</a>")
        }
        #expect(throws: XMLDefect.self) { try XMLNode.parse([UInt8](repeating: 0x20, count: XMLBounds().bytes + 1)) }
    }

    @Test("A page of a listing is read, with keys as they are encoded")
    func listing() throws {
        let page = try #require(
            ListPage(
                try parse(
                    """
                    <ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>
                    <NextContinuationToken>n</NextContinuationToken>
                    <Contents><Key>a+b%2Fc%C3%A4</Key><Size>7</Size><ETag>&quot;0a&quot;</ETag>
                    <LastModified>2013-05-24T00:00:00.123Z</LastModified></Contents>
                    <CommonPrefixes><Prefix>p%2F</Prefix></CommonPrefixes></ListBucketResult>
                    """)))
        #expect(page.entries.map(\.key) == ["a b/cä"])
        #expect(page.entries.map(\.bytes) == [7])
        #expect(page.entries.map(\.etag) == ["0a"])
        #expect(page.entries.map(\.modifiedSeconds) == [1_369_353_600])
        #expect(page.commonPrefixes == ["p/"])
        #expect(page.continuation == "n")
    }

    @Test(
        "A listing that makes no sense is none",
        arguments: [
            "<a/>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key><Size>99999999999999999999</Size></Contents></ListBucketResult>",
            "<ListBucketResult><Contents><Key></Key><Size>1</Size></Contents></ListBucketResult>",
            "<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>%zz</Key><Size>1</Size></Contents></ListBucketResult>",
        ])
    func nonsense(_ text: String) throws { #expect(ListPage(try parse(text)) == nil) }

    @Test("Parts with numbers that no part has make a list none")
    func parts() throws {
        for number in ["0", "-1", "10001", "x", "99999999999999999999"] {
            let text =
                "<ListPartsResult><Part><PartNumber>\(number)</PartNumber><Size>1</Size><ETag>a</ETag></Part></ListPartsResult>"
            #expect(PartsPage(try parse(text)) == nil)
        }
    }

    @Test("What a store says comes in one short line without control characters")
    func message() {
        let long = String(repeating: " x", count: 2000)
        let answer = ErrorAnswer(
            Array("<Error><Code>Slow\nDown</Code><Message>a&#10;b&#x9b;\u{202e}c\(long)</Message></Error>".utf8))
        #expect(answer.code == nil)
        #expect(answer.message?.hasPrefix("a b  c") == true)
        #expect(answer.message?.count == ErrorAnswer.messageMax)
    }

    @Test(
        "Times are read and written",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2026-11-23T03:00:00Z", 1_795_402_800),
        ])
    func times(_ text: String, _ seconds: Int64) throws {
        #expect(ServerTime(iso: text)?.seconds == seconds)
        #expect(ServerTime(clamping: seconds).iso == text)
    }

    @Test(
        "What is no time is none",
        arguments: [
            "", "2026-11-23", "2026-13-01T00:00:00Z", "2026-11-23T24:00:00Z", "1969-12-31T23:59:59Z",
            "2026-11-23T00:00:00.Z",
            "2026-11-23T00:00:00.1234567890123Z", "+026-11-23T00:00:00Z", "2026-11-23T00:00:00+01:00",
        ])
    func noTime(_ text: String) { #expect(ServerTime(iso: text) == nil) }

    @Test("Times of headers are read")
    func httpTime() {
        #expect(ServerTime(http: "Fri, 24 May 2013 00:00:00 GMT")?.seconds == 1_369_353_600)
        #expect(ServerTime(http: "Fri, 24 May 2013 00:00 GMT") == nil)
    }
}
