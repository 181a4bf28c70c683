/** Which of the 16,384 slots of a Cluster a key belongs to. */

const SLOTS = 16_384;
const POLYNOMIAL = 0x1021;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc;
});

/** CRC16 of what is in the first braces, or of the whole key. Our keys are ASCII, a byte for each character. */
export function slotOf(key: string): number {
  const open = key.indexOf("{");
  const close = key.indexOf("}", open + 1);
  const tagged = open >= 0 && close > open + 1;
  const end = tagged ? close : key.length;
  let crc = 0;
  for (let index = tagged ? open + 1 : 0; index < end; index += 1) {
    crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ key.charCodeAt(index)]!;
  }
  return crc % SLOTS;
}
