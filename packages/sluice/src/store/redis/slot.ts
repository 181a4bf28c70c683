/** Which of the 16,384 slots of a Cluster a key belongs to. */

const SLOTS = 16_384;
const POLYNOMIAL = 0x1021;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc;
});

/** CRC16 of the hash tag. Our keys are ASCII, a byte for each character. */
export function slotOf(key: string): number {
  const tag = hashTagOf(key);
  let crc = 0;
  for (let index = 0; index < tag.length; index += 1) {
    crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ tag.charCodeAt(index)]!;
  }
  return crc % SLOTS;
}

/** What is in the first braces, or the whole key. */
export function hashTagOf(key: string): string {
  const open = key.indexOf("{");
  const close = key.indexOf("}", open + 1);
  return open >= 0 && close > open + 1 ? key.slice(open + 1, close) : key;
}
