/** Records in the order in which they came, in a ring: the oldest go and the newest come at any size alike. */

/** `count` records of a fixed width, beginning at record `first` of `places`. */
export interface Ring {
  places: number[];
  first: number;
  count: number;
}

const FIRST_RECORDS = 4;

/** Where a record's numbers begin; 0 is the oldest. */
export function placeOf(ring: Ring, index: number, width: number): number {
  const place = (ring.first + index) * width;
  return place < ring.places.length ? place : place - ring.places.length;
}

export function forgetOldest(ring: Ring, records: number, width: number): void {
  ring.count -= records;
  ring.first = ring.count === 0 ? 0 : placeOf(ring, records, width) / width;
}

/** Takes records out of the middle; those that came later move up. */
export function dropRecords(ring: Ring, index: number, records: number, width: number): void {
  if (records === 0) return;
  for (let later = index + records; later < ring.count; later += 1) {
    const from = placeOf(ring, later, width);
    const to = placeOf(ring, later - records, width);
    for (let column = 0; column < width; column += 1) ring.places[to + column] = ring.places[from + column]!;
  }
  ring.count -= records;
}

/** Room for more records, doubled up to `most`, so that a key which uses little of a large limit weighs little. */
export function makeRoom(ring: Ring, records: number, most: number, width: number): void {
  const needed = ring.count + records;
  if (needed * width <= ring.places.length) return;
  const size = Math.min(most, Math.max(needed, 2 * ring.count, FIRST_RECORDS)) * width;
  const grown = new Array<number>(size).fill(0);
  for (let index = 0; index < ring.count; index += 1) {
    const place = placeOf(ring, index, width);
    for (let column = 0; column < width; column += 1)
      grown[index * width + column] = ring.places[place + column]!;
  }
  ring.places = grown;
  ring.first = 0;
}

const OBJECT_BYTES = 64;
const NUMBER_BYTES = 8;

export function ringBytes({ places }: Ring): number {
  return OBJECT_BYTES + NUMBER_BYTES * places.length;
}

/** How many of the first `count` indexes hold, where those that do come first. Usually few do, so it gallops. */
export function countLeading(count: number, holds: (index: number) => boolean): number {
  let known = 0;
  let stride = 1;
  while (known + stride <= count && holds(known + stride - 1)) {
    known += stride;
    stride *= 2;
  }
  let end = Math.min(known + stride - 1, count);
  while (known < end) {
    const middle = Math.floor((known + end) / 2);
    if (holds(middle)) known = middle + 1;
    else end = middle;
  }
  return known;
}
