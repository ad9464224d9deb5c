import { type TabularSource, USUAL_SOURCES } from '../readings/tabularSource';
import { HALL_CAMERA, HALL_SCANNER } from '../uploads/hallSources';
import type { CaptureSource } from '../uploads/partUploads';

/** What a machine captures with. */
export interface MachineEquipment {
  sources: readonly TabularSource[];
  camera?: CaptureSource | undefined;
  scanner?: CaptureSource | undefined;
  /** On all that is captured. */
  tags: readonly string[];
}

/** That of a machine of no particular kind. */
export const USUAL_EQUIPMENT: MachineEquipment = {
  sources: USUAL_SOURCES,
  camera: HALL_CAMERA,
  scanner: HALL_SCANNER,
  tags: [],
};
