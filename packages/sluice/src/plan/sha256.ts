/** SHA-256 of a string's UTF-16 code units: synchronous, native in Node, and the same in workers and browsers. */

const FIRST_PRIMES = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
  107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223,
  227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
];

/** The first 32 bits of the fraction of a root, as the standard defines its constants. */
function fractionBits(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

const ROUND_CONSTANTS = Int32Array.from(FIRST_PRIMES, (prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_STATE = Int32Array.from(FIRST_PRIMES.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The message, a one bit, zeros, and the length in bits, in blocks of 64 bytes. */
function paddedMessage(text: string): DataView {
  const length = 2 * text.length;
  const view = new DataView(new ArrayBuffer(64 * Math.ceil((length + 9) / 64)));
  for (let index = 0; index < text.length; index += 1)
    view.setUint16(2 * index, text.charCodeAt(index), true);
  view.setUint8(length, 0x80);
  view.setUint32(view.byteLength - 8, Math.floor(length / 2 ** 29));
  view.setUint32(view.byteLength - 4, length << 3);
  return view;
}

interface NativeCrypto {
  createHash(name: "sha256"): { update(text: string, encoding: "utf16le"): { digest(form: "hex"): string } };
}

declare const process: { getBuiltinModule?(name: string): NativeCrypto | undefined } | undefined;

const native = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");

export function sha256(text: string): string {
  return native === undefined
    ? sha256InScript(text)
    : native.createHash("sha256").update(text, "utf16le").digest("hex");
}

export function sha256InScript(text: string): string {
  const message = paddedMessage(text);
  const state = Int32Array.from(INITIAL_STATE);
  const schedule = new Int32Array(64);
  for (let block = 0; block < message.byteLength; block += 64) {
    for (let round = 0; round < 16; round += 1) schedule[round] = message.getInt32(block + 4 * round);
    for (let round = 16; round < 64; round += 1) {
      const w15 = schedule[round - 15]!;
      const w2 = schedule[round - 2]!;
      const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
      const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
      schedule[round] = schedule[round - 16]! + s0 + schedule[round - 7]! + s1;
    }
    compress(state, schedule);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function compress(state: Int32Array, schedule: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < 64; round += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + ROUND_CONSTANTS[round]! + schedule[round]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + s0 + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index]! += word;
  });
}
