import { type MachineEquipment } from '../../simulate/machines/machineEquipment';
import { norrvikCaptures } from './norrvik/captures';
import { saltmarshCaptures } from './saltmarsh/captures';

/**
 * Tag of data that demo machines capture while the service is running. This data is deleted later.
 */
export const LIVE_TAG = 'live';

const ALL = [norrvikCaptures, saltmarshCaptures];

/** Returns the equipment of a demo part. It matches the part's history. */
export function demoEquipment(partName: string): MachineEquipment {
  const isItsOwn = ({ part }: { part: string }): boolean => part === partName;
  return {
    sources: ALL.flatMap(({ readings }) => readings.filter(isItsOwn)).map(({ source }) => source),
    camera: ALL.flatMap(({ pictures }) => pictures).find(isItsOwn)?.source,
    scanner: ALL.flatMap(({ scans }) => scans).find(isItsOwn)?.source,
    tags: [LIVE_TAG],
  };
}
