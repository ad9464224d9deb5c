import { type TabularSource, USUAL_SOURCES } from '../readings/tabularSource';
import { HALL_CAMERA, HALL_SCANNER } from '../uploads/hallSources';
import type { CaptureSource } from '../uploads/partUploads';

/** Data sources of a machine. */
export interface MachineEquipment {
  sources: readonly TabularSource[];
  camera?: CaptureSource | undefined;
  scanner?: CaptureSource | undefined;
  /** Tags of all captured data. */
  tags: readonly string[];
}

/** Equipment of a generic machine. */
export const USUAL_EQUIPMENT: MachineEquipment = {
  sources: USUAL_SOURCES,
  camera: HALL_CAMERA,
  scanner: HALL_SCANNER,
  tags: [],
};
