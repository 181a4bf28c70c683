/** Charts: for terminals with and without Unicode and colour, and as SVG. */
import { toRule } from "sluice";
import { describe, expect, test } from "vitest";
import { parseTraffic } from "../../src/simulate/parse-traffic.js";
import { finished, simulate } from "../../src/simulate/simulate.js";
import { peakTable, summaryTable } from "../../src/simulate/summary-table.js";
import { svgChart } from "../../src/simulate/svg-chart.js";
import { escaped } from "../../src/simulate/svg-elements.js";
import type { Run } from "../../src/simulate/tally.js";
import { GUTTER, legend, terminalChart } from "../../src/simulate/terminal-chart.js";
import { ticks } from "../../src/simulate/time-axis.js";

async function played(rules: readonly string[], traffic: string, bins = 20): Promise<readonly Run[]> {
  return finished(
    simulate(
      rules.map((rule) => toRule(rule)),
      parseTraffic(traffic),
      { lengthUs: 20_000_000, bins },
    ),
  );
}

describe("in a terminal", () => {
  test("with Unicode", async () => {
    const [run] = await played(["4/s"], "ramp:0/s..16/s");
    expect(`\n${terminalChart(run!, 16, 4, { unicode: true, colour: false })}\n`).toBe(`
     16 │                ░░░░░
        │           ░░░░░░░░░░
        │      ░░░░░░░░░░░░░░░
        │ ▂▂▄▆▆█▆███████▆████▆
      0 └─────────────────────
          0       10 s    20 s
          one column is 1 s
`);
  });

  test("with ASCII alone", async () => {
    const [run] = await played(["4/s"], "ramp:0/s..16/s");
    const chart = terminalChart(run!, 16, 4, { unicode: false, colour: false });
    expect(chart).toMatch(/^[\x20-\x7e\n]+$/);
    expect(chart.split("\n")[3]).toBe("        | ####################");
    expect(legend({ unicode: false, colour: false })).toBe("# admitted  . refused");
  });

  test("with colours, which change nothing else", async () => {
    const [run] = await played(["4/s"], "ramp:0/s..16/s");
    const plain = terminalChart(run!, 16, 4, { unicode: true, colour: false });
    const coloured = terminalChart(run!, 16, 4, { unicode: true, colour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
    const uncoloured = coloured.replace(/\u001b\[\d+m/g, "");
    expect(coloured).toContain("\u001b[34m");
    expect(uncoloured.split("\n").map((line) => line.trimEnd())).toEqual(plain.split("\n"));
    for (const line of coloured.split("\n").filter((line) => line.includes("\u001b")))
      expect(line).toMatch(/\[0m *$/);
  });

  test("is as wide as its bins and a gutter, at every width", async () => {
    for (const bins of [30, 70, 120]) {
      const [run] = await played(["4/s"], "steady:9/s", bins);
      for (const line of terminalChart(run!, 9, 6, { unicode: true, colour: false }).split("\n")) {
        expect(line.length).toBeLessThanOrEqual(bins + GUTTER + 2);
      }
    }
  });

  test("a single request is seen, and no traffic is an empty chart", async () => {
    const [one] = await played(["4/s"], "steady:1/20s");
    expect(terminalChart(one!, 1_000, 4, { unicode: true, colour: false })).toContain("▁");
    const [none] = await played(["4/s"], "steady:0/s");
    expect(terminalChart(none!, 1, 2, { unicode: false, colour: false })).not.toMatch(/[#.]/);
  });
});

test("tables", async () => {
  const runs = await played(["10/10s", "10/10s fixed-window", "0/s"], "burst:15/7s");
  expect(`\n${summaryTable(runs)}\n`).toBe(`
rule                 offered  admitted  refused  first refusal  longest wait
10/10s                    45        20   55.6 %            0 s          10 s
10/10s fixed-window       45        20   55.6 %            0 s          10 s
0/s                       45         0  100.0 %            0 s      for ever
`);
  expect(`\n${peakTable(runs)}\n`).toBe(`
10/10s               10  in any 10 seconds, from 0 s on
10/10s fixed-window  10  in any 10 seconds, from 0 s on
0/s                   0  in any second
`);
});

describe("as SVG", () => {
  test("is a whole document with a title, a description, both themes and a panel for each rule", async () => {
    const svg = svgChart(await played(["10/10s", "10/10s fixed-window"], "burst:15/7s"));
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*role="img" aria-labelledby="simulation-title simulation-description">\n/,
    );
    expect(svg).toContain('<title id="simulation-title">burst:15/7s for 20 s</title>');
    expect(svg).toContain(
      '<desc id="simulation-description">10/10s under burst:15/7s for 20 seconds: 20 of 45 admitted, at most 10 in any 10 seconds (limit 10). ',
    );
    expect(svg).toContain("@media (prefers-color-scheme:dark)");
    expect(svg).toContain(">10/10s fixed-window</text>");
    expect(svg).toContain("10 in 10 seconds, limit 10");
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("has no markup from outside", async () => {
    const [run] = await played(["10/10s"], "burst:15/7s");
    const hostile = '<script>alert("1")</script>&\u0000\ud800';
    const svg = svgChart([{ ...run!, traffic: hostile, rule: hostile }]);
    expect(svg).not.toContain("<script");
    expect(svg).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\ufffd\ufffd");
    expect(escaped("a'b")).toBe("a&#39;b");
  });

  test("of nothing is refused, and of no traffic is drawn", async () => {
    expect(() => svgChart([])).toThrow(RangeError);
    expect(svgChart(await played(["10/s"], "steady:0/s"))).not.toContain("NaN");
  });
});

test.each([
  [20_000, 8, [0, 5_000, 10_000, 15_000, 20_000]],
  [60_000, 8, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]],
  [7, 8, [0, 1, 2, 3, 4, 5, 6, 7]],
])("round times on an axis of %i ms", (lengthMs, most, expected) => {
  expect(ticks(lengthMs, most)).toEqual(expected);
});
