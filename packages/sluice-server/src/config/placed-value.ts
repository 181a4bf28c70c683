/** A YAML document as plain values, each with its place in the file. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from "yaml";
import type { Finding, Range } from "./finding.js";

export interface PlacedValue {
  readonly value: unknown;
  /** Of a name in a map, the name's own place. */
  readonly name: Range | undefined;
  readonly range: Range;
  /** Where it is a single text or number, as the YAML library has it. */
  readonly scalar: Scalar | undefined;
  /** By name, or by number in a list. */
  readonly parts: ReadonlyMap<string, PlacedValue>;
}

/** Aliases multiply: so many values come of a document at most. */
const MOST_VALUES = 100_000;

export function placedValues(document: Document.Parsed, report: (mistake: Finding) => void): PlacedValue {
  return new Conversion(report).placed(document.contents, undefined, { start: 0, end: 0 });
}

class Conversion {
  private readonly anchors = new Map<string, Node>();
  /** Nodes that are being converted, so that an alias to one of them is a circle. */
  private readonly open = new Set<Node>();
  private left = MOST_VALUES;

  constructor(private readonly report: (mistake: Finding) => void) {}

  /** `around` is the place of what has no text of its own. */
  placed(node: Node | null, name: Range | undefined, around: Range): PlacedValue {
    const range = node?.range ? { start: node.range[0], end: node.range[1] } : around;
    const nothing = { value: null, name, range, scalar: undefined, parts: new Map<string, PlacedValue>() };
    this.left -= 1;
    if (this.left < 0) {
      if (this.left === -1)
        this.report({ message: `The aliases of this file make more than ${MOST_VALUES} values.`, range });
      return nothing;
    }
    if (node === null) return nothing;
    if (isAlias(node)) return this.aliased(node.source, name, range) ?? nothing;
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node);
    if (isScalar(node)) return { ...nothing, value: node.value, scalar: node };
    this.open.add(node);
    const parts = isMap(node)
      ? this.members(node.items, range)
      : isSeq(node)
        ? this.items(node.items, range)
        : undefined;
    this.open.delete(node);
    if (parts === undefined) return nothing;
    const values = [...parts].map(([key, part]) => [key, part.value] as const);
    const value = isSeq(node) ? values.map(([, part]) => part) : Object.fromEntries(values);
    return { ...nothing, value, parts };
  }

  private aliased(source: string, name: Range | undefined, range: Range): PlacedValue | undefined {
    const node = this.anchors.get(source);
    if (node !== undefined && !this.open.has(node)) return this.placed(node, name, range);
    // Without its name: a token may begin with a star.
    const message =
      node === undefined
        ? "Nothing before this has the name behind the *. Text that begins with a * stands in quotes."
        : "What this alias stands for contains itself.";
    this.report({ message, range });
    return undefined;
  }

  private members(pairs: readonly Pair[], around: Range): Map<string, PlacedValue> {
    const parts = new Map<string, PlacedValue>();
    for (const { key, value } of pairs) {
      if (!isScalar(key) || !key.range) {
        this.report({ message: "A name is a plain text.", range: rangeOf(key) ?? around });
        continue;
      }
      if (key.anchor !== undefined) this.anchors.set(key.anchor, key);
      const text = key.source ?? String(key.value);
      const name = { start: key.range[0], end: key.range[1] };
      if (parts.has(text)) {
        this.report({ message: "This name stands here a second time.", range: name });
        continue;
      }
      parts.set(text, this.placed((value as Node | null) ?? null, name, name));
    }
    return parts;
  }

  private items(nodes: readonly unknown[], around: Range): Map<string, PlacedValue> {
    return new Map(
      nodes.map((node, index) => [String(index), this.placed(node as Node | null, undefined, around)]),
    );
  }
}

function rangeOf(node: unknown): Range | undefined {
  const range = (node as Node | null)?.range;
  return range ? { start: range[0], end: range[1] } : undefined;
}
