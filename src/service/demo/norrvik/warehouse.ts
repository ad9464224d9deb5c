import type { JsonObject } from '@bufbuild/protobuf';
import { append, component, registryModule, service, set } from '../configParts';
import type { ContactPlan, EditPlan, MachinePlan } from '../plan';

/** Properties that differ between the trucks, in the order of their numbers. */
interface Truck {
  daysAgo: number;
  serial: string;
  lidarRange: number;
  contact?: ContactPlan;
  /** True if the truck has a separate computer for a pallet camera. */
  forkCamera?: boolean;
  edits?: EditPlan[];
}

const TRUCKS: readonly Truck[] = [
  { daysAgo: 60, serial: 'X7-22041', lidarRange: 20, forkCamera: true },
  { daysAgo: 60, serial: 'X7-22043', lidarRange: 20, edits: [wheelWear(611, 17)] },
  { daysAgo: 59, serial: 'X7-22048', lidarRange: 20, edits: [wheelWear(609, 24), slower(0.8, 3)] },
  { daysAgo: 59, serial: 'X7-22050', lidarRange: 25, forkCamera: true },
  { daysAgo: 31, serial: 'X7-23107', lidarRange: 25, contact: { daysAgo: 3 } },
  { daysAgo: 31, serial: 'X7-23110', lidarRange: 25 },
  { daysAgo: 2, serial: 'X7-25002', lidarRange: 25, contact: 'never' },
];

const MAP = 'finished-goods-2026-09';
const NUMBER_LENGTH = 2;

/** Automated guided vehicles of the warehouse. */
export const trucks: MachinePlan[] = TRUCKS.map((truck, index) => {
  const number = String(index + 1).padStart(NUMBER_LENGTH, '0');
  const { contact = 'live' } = truck;
  return {
    name: `amr-${number}`,
    daysAgo: truck.daysAgo,
    metadata: { asset_number: `NRV-AMR-${number}`, chassis: truck.serial },
    main: {
      contact,
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('amr-base'),
            variables: { map: MAP, 'lidar-range-m': truck.lidarRange },
          },
        ],
        network: { bind_address: ':8080' },
      }),
      edits: truck.edits ?? [],
    },
    ...(truck.forkCamera === true && {
      others: {
        'fork-camera': {
          contact,
          config: () => forkCamera(number),
          edits: [
            {
              daysAgo: 14,
              change: set('services.pallet-pockets.attributes.default_minimum_confidence', 0.55),
            },
          ],
        },
      },
    }),
  };
});

/** Chargers for the trucks. */
export const chargers: MachinePlan[] = [1, 2].map((bay) => ({
  name: `charging-bay-${bay}`,
  daysAgo: 58,
  metadata: { asset_number: `NRV-CHG-00${bay}`, breaker: `F${bay + 20}` },
  main: {
    config: () => ({
      components: [
        component('power_sensor', 'feed', 'norrvik:modbus-io:energy-meter', {
          host: `10.21.9.${bay + 10}`,
          phases: 3,
        }),
        component('switch', 'contactor', 'norrvik:modbus-io:relay', {
          host: `10.21.9.${bay + 10}`,
          channel: 1,
        }),
        component('sensor', 'dock-contact', 'norrvik:modbus-io:digital', {
          host: `10.21.9.${bay + 10}`,
          pin: 'DI0',
        }),
      ],
      modules: [registryModule('norrvik:modbus-io', '1.7.2')],
    }),
    edits: [
      { daysAgo: 20, by: 'pipeline', change: set('modules.norrvik_modbus-io.version', '1.8.0') },
    ],
  },
}));

function forkCamera(number: string): JsonObject {
  return {
    components: [
      component('camera', 'fork', 'norrvik:tof-camera:d435', {
        serial_number: `8319220${number}`,
        sensors: ['color', 'depth'],
        little_endian_depth: false,
      }),
    ],
    services: [
      service('mlmodel', 'pocket-model', 'norrvik:onnx:cpu', {
        model_path: '/opt/norrvik/models/pockets.onnx',
      }),
      service('vision', 'pallet-pockets', 'rdk:builtin:mlmodel', {
        mlmodel_name: 'pocket-model',
        camera_name: 'fork',
        default_minimum_confidence: 0.6,
      }),
    ],
    modules: [
      registryModule('norrvik:tof-camera', '1.1.0'),
      registryModule('norrvik:onnx', '2.1.0'),
    ],
  };
}

/**
 * Returns an edit for worn wheels, which cover a shorter distance per rotation. The truck's own
 * circumference overrides the fragment's.
 */
function wheelWear(circumference: number, daysAgo: number): EditPlan {
  return modify(daysAgo, { 'components.base.attributes.wheel_circumference_mm': circumference });
}

function slower(metersPerSecond: number, daysAgo: number): EditPlan {
  return modify(daysAgo, { 'services.navigation.attributes.meters_per_sec': metersPerSecond });
}

function modify(daysAgo: number, values: JsonObject): EditPlan {
  return {
    daysAgo,
    change: (config, fragment) =>
      append('fragment_mods', { fragment_id: fragment('amr-base'), mods: [{ $set: values }] })(
        config,
        fragment,
      ),
  };
}
