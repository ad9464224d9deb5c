interface WireTime {
  readonly seconds: bigint;
  readonly nanos: number;
}

const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/**
 * The first time that google.protobuf.Timestamp can represent, in the year 1; `LAST_TIME` is the
 * last, in the year 9999.
 */
export const FIRST_TIME: WireTime = { seconds: FIRST_SECOND, nanos: 0 };
export const LAST_TIME: WireTime = { seconds: LAST_SECOND, nanos: 999_999_999 };

/** Times whose nanoseconds are invalid. */
export const INVALID_NANOS: readonly WireTime[] = [
  { seconds: 0n, nanos: -1 },
  { seconds: 0n, nanos: 1_000_000_000 },
];

/** Invalid times that a client can send. */
export const NO_TIMES: readonly WireTime[] = [
  { seconds: FIRST_SECOND - 1n, nanos: 0 },
  { seconds: LAST_SECOND + 1n, nanos: 0 },
  { seconds: 2n ** 63n - 1n, nanos: 0 },
  ...INVALID_NANOS,
];
