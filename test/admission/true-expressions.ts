/**
 * What holds in Kubernetes' CEL, with `self` = `{a: {c: 1}, list: [{x: 1}]}`; a real API server is asked the same in
 * `test/cluster/expressions.test.ts`.
 */
export const TRUE_EXPRESSIONS: readonly string[] = [
  // equality
  'dyn(1) == 1.0 && dyn([1, 2]) == [1.0, 2.0] && {"a": 1} == {"a": 1}',
  'dyn(1) != "1" && dyn(null) != 1 && [1] != [2] && {"a": 1} != {"b": 1}',
  'timestamp("2026-01-01T00:00:00Z") == timestamp("2026-01-01T00:00:00.000Z")',
  'duration("60s") == duration("1m") && b"a" == b"a"',
  '2 in [1, 2] && !(3 in [1, 2]) && "a" in {"a": 1} && dyn([1]) in dyn([[1.0]])',
  // sums
  '"a" + "b" == "ab" && [1] + [2] == [1, 2] && 1.5 + 1.5 == 3.0',
  'timestamp("2026-01-01T00:00:00Z") + duration("1h") == timestamp("2026-01-01T01:00:00Z")',
  // texts
  '"aÄ".lowerAscii() == "aÄ" && "aB".upperAscii() == "AB" && " \\u0085a ".trim() == "a"',
  '"tacocat".charAt(3) == "o" && "tacocat".charAt(7) == "" && "😀b".charAt(1) == "b"',
  '"tacocat".indexOf("ac") == 1 && "tacocat".indexOf("a", 3) == 5 && "a".indexOf("") == 0 && "a".indexOf("z") == -1',
  '"tacocat".lastIndexOf("at") == 5 && "tacocat".lastIndexOf("a", 3) == 1 && "ab".lastIndexOf("") == 2',
  '"tacocat".substring(4) == "cat" && "tacocat".substring(0, 4) == "taco" && "😀b".substring(1) == "b"',
  '"a,b,c".split(",") == ["a", "b", "c"] && "a,b,c".split(",", 2) == ["a", "b,c"] && "a".split(",", 0) == []',
  '"ab".split("") == ["a", "b"]',
  '"hello hello".replace("he", "we") == "wello wello" && "hello hello".replace("he", "we", 1) == "wello hello"',
  '"ab".replace("", "_") == "_a_b_" && "ab".replace("", "_", 1) == "_ab" && "ab".replace("a", "b", 0) == "ab"',
  '["a", "b"].join("-") == "a-b" && "abc".matches("^a.c$") && !"abc".matches("^b")',
  '"abc 123".find("[0-9]+") == "123" && "abc".find("[0-9]+") == ""',
  '"1h30m".findAll("[0-9]+[hm]") == ["1h", "30m"] && "123".findAll("[0-9]", 2) == ["1", "2"] && "ab".findAll("x*") == ["", "", ""]',
  '"%s %d %.2f %x %o %b %% %f".format(["a", 1, 1.5, 255, 8, 5, 1.5]) == "a 1 1.50 ff 10 101 % 1.500000"',
  '"%s".format([dyn([1, "a", dyn({"b": true})])]) == "[1, \\"a\\", {\\"b\\":true}]" && "%X".format(["hi"]) == "6869"',
  '"%s %s %s".format([1.5, duration("90s"), timestamp("2026-01-01T00:00:00Z")]) == "1.5 90s 2026-01-01T00:00:00Z"',
  'string(1000000.0) == "1e+06" && string(0.0001) == "0.0001" && string(0.00001) == "1e-05" && string(123456789.5) == "1.234567895e+08"',
  '"%s %s %s".format([null, true, type(1)]) == "null true int" && "%s".format([b"hi"]) == "hi"',
  'strings.quote("a\\t\\"ü\\x07") == "\\"a\\\\t\\\\\\"ü\\\\a\\""',
  // lists
  '[1, 2, 2].isSorted() && !["b", "a"].isSorted() && [].isSorted()',
  '![9007199254740993, 9007199254740992].isSorted() && [9007199254740992, 9007199254740993].isSorted()',
  '[1, 3].sum() == 4 && [1.0, 3.0].sum() == 4.0 && [duration("1m"), duration("1s")].sum() == duration("61s") && [].sum() == 0',
  '[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && ["b", "a"].max() == "b"',
  '[1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2 && [1].indexOf(5) == -1',
  '[1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x) == [2] && [1, 2].filter(x, x > 1) == [2]',
  '[1, 2].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2].exists_one(x, x == 2) && {"a": 1}.all(k, k == "a")',
  'sets.contains([1, 2], [2]) && sets.equivalent([1, 2, 2], [2, 1]) && sets.intersects([1], [1, 2]) && !sets.intersects([1], [2])',
  // numbers and times
  'int("-007") == -7 && int(3.9) == 3 && string(1.5) == "1.5" && string(duration("90s")) == "90s" && string(1) == "1"',
  'string(timestamp("2026-01-01T00:00:00Z")) == "2026-01-01T00:00:00Z"',
  'timestamp("2026-07-01T22:30:00Z").getHours("Europe/Berlin") == 0 && timestamp("2026-07-01T22:30:00Z").getDate("Europe/Berlin") == 2',
  'timestamp("2026-01-01T00:00:00Z").getHours("+05:30") == 5 && timestamp("2026-03-01T00:00:00Z").getDayOfYear() == 59',
  'duration("90m").getHours() == 1 && duration("90m").getMinutes() == 90',
  // quantities
  'isQuantity("200Mi") && !isQuantity("200 Mi") && quantity("1Gi") == quantity("1024Mi")',
  'quantity("1k").asInteger() == 1000 && !quantity("500m").isInteger() && quantity("500m").asApproximateFloat() == 0.5',
  'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("1").isLessThan(quantity("2")) && quantity("1").compareTo(quantity("2")) == -1',
  'quantity("50k").add(quantity("20k")) == quantity("70k") && quantity("50k").sub(20) == quantity("49980") && sign(quantity("-5")) == -1',
  // addresses
  'isIP("::1") && !isIP("010.0.0.1") && !isIP("::ffff:1.2.3.4") && ip("127.0.0.1").isLoopback() && ip("::1").family() == 6',
  'ip.isCanonical("2001:db8::1") && !ip.isCanonical("2001:DB8::1") && ip("fe80::1").isLinkLocalUnicast() && ip("8.8.8.8").isGlobalUnicast()',
  'isCIDR("10.0.0.0/8") && !isCIDR("10.0.0.0/33") && cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")',
  '!cidr("10.0.0.0/8").containsIP("11.0.0.1") && cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("::1/64").prefixLength() == 64',
  '["10.0.0.1"].all(ip, ip.startsWith("10.")) && [[1]].all(sets, sets.size() == 1)',
  // URLs
  'isURL("https://a.example:8443/p%20q?x=1") && !isURL("a.example") && isURL("/path")',
  'url("https://u@a.example:8443/p%20q?x=1&x=2&y=").getHost() == "a.example:8443" && url("https://[::1]:80/").getHostname() == "::1"',
  'url("https://a.example:8443/p%20q").getEscapedPath() == "/p%20q" && url("https://a.example:8443").getPort() == "8443"',
  'url("https://a/?x=1&x=2&y=").getQuery() == {"x": ["1", "2"], "y": [""]} && url("HTTPS://a").getScheme() == "https"',
  // versions
  'isSemver("1.2.3-rc.1+b") && !isSemver("v1.2.3") && semver("1.10.0").isGreaterThan(semver("1.9.9")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))',
  'semver("1.2.3").major() == 1 && semver("1.0.0-alpha.1").compareTo(semver("1.0.0-alpha.beta")) == -1',
  // optional values, bindings
  'optional.of(1).hasValue() && !optional.none().hasValue() && {"a": 1}.?b.orValue(2) == 2',
  'has(self.a) && !has(self.b) && has(self.list[0].x) && !has(self.list[0].y) && self.?a.?b.orValue("none") == "none"',
  'type(1) == int && type("a") == string && type([]) == list',
];
