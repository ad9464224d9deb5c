import type { TimeChoice } from '../../../../core/data/uploads/readings/readingsOf';
import type { ReadingsPlan } from '../../../../core/data/uploads/readings/readingBatches';
import type { ReadingsLayout } from '../../../../core/data/uploads/readings/readingRow';
import type { Inspection } from '../../../../core/data/uploads/readings/inspectReadings';
import type { PartTarget } from '../../../../core/model/resourceTarget';

/** Import settings of a file of readings. */
export interface ReadingsSettings {
  readonly part: PartTarget;
  readonly time: TimeChoice;
  readonly component: string;
  readonly componentType: string;
  readonly method: string;
  readonly tags: readonly string[];
  /** Inspection with the current `time` setting. */
  readonly inspection: Inspection;
}

export const DEFAULT_TYPE = 'rdk:component:sensor';
export const DEFAULT_METHOD = 'Readings';

/** Converts the settings to an upload plan. */
export function createPlan(layout: ReadingsLayout, settings: ReadingsSettings): ReadingsPlan {
  const { part, time, tags, inspection } = settings;
  return {
    ...{ layout, time, tags, types: inspection.types },
    origin: {
      partId: part.partId,
      componentName: settings.component,
      componentType: settings.componentType,
      method: settings.method,
    },
  };
}
