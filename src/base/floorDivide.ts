/** Divides two integers and rounds down, also for negative results. */
export function floorDivide(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}
