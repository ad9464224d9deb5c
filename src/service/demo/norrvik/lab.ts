import {
  append,
  capture,
  component,
  frame,
  registryModule,
  remove,
  service,
  set,
  together,
} from '../configParts';
import type { MachinePlan } from '../plan';

/** Benches on which cells are tested before delivery to a customer. */
export const benches: MachinePlan[] = [
  {
    name: 'bench-pick-and-place',
    daysAgo: 57,
    metadata: { bench: 'A1', owner: 'cell-software' },
    main: {
      config: () => ({
        components: [
          component('arm', 'xarm', 'norrvik:xarm-driver:xarm6', {
            host: '10.30.0.21',
            speed_degs_per_sec: 40,
            acceleration_degs_per_sec_per_sec: 80,
          }),
          component(
            'camera',
            'wrist-camera',
            'norrvik:tof-camera:d435',
            { serial_number: '327122071884', sensors: ['color', 'depth'] },
            frame('xarm', [72, 0, 34], -90),
          ),
          component('gripper', 'fingers', 'norrvik:xarm-driver:gripper', { arm: 'xarm' }),
        ],
        services: [
          service('vision', 'blue-cube', 'rdk:builtin:color_detector', {
            detect_color: '#1c4599',
            hue_tolerance_pct: 0.06,
            segment_size_px: 200,
          }),
          service('motion', 'motion', 'rdk:builtin:builtin'),
        ],
        modules: [
          registryModule('norrvik:xarm-driver', '1.0.7'),
          registryModule('norrvik:tof-camera', '1.1.0'),
        ],
      }),
      edits: [
        { daysAgo: 50, change: set('components.xarm.attributes.speed_degs_per_sec', 30) },
        {
          daysAgo: 42,
          change: together(
            remove('services', 'blue-cube'),
            append('modules', registryModule('norrvik:onnx', '2.0.0')),
            append(
              'services',
              service('mlmodel', 'parts-model', 'norrvik:onnx:cpu', {
                model_path: '/home/lab/models/parts-v3.onnx',
              }),
              service('vision', 'parts', 'rdk:builtin:mlmodel', { mlmodel_name: 'parts-model' }),
            ),
          ),
        },
        {
          daysAgo: 28,
          change: set(
            'services.parts-model.attributes.model_path',
            '/home/lab/models/parts-v4.onnx',
          ),
        },
        {
          daysAgo: 1,
          change: set('components.wrist-camera.frame.translation', { x: 72, y: 0, z: 41 }),
        },
      ],
    },
  },
  {
    name: 'bench-gantry',
    daysAgo: 55,
    metadata: { bench: 'A2', owner: 'mechatronics' },
    main: {
      config: () => ({
        components: [
          component('board', 'pi', 'norrvik:raspberry:pi5', {
            analogs: [{ name: 'load-cell', pin: '0', spi_bus: 'main', chip_select: '0' }],
          }),
          ...['x', 'y'].map((axis, index) =>
            component(
              'motor',
              `${axis}-stepper`,
              'rdk:builtin:gpiostepper',
              {
                board: 'pi',
                pins: { step: String(13 + index * 2), dir: String(15 + index * 6) },
                ticks_per_rotation: 1600,
                stepper_delay_usec: 30,
              },
              { depends_on: ['pi'] },
            ),
          ),
          component(
            'gantry',
            'x-axis',
            'rdk:builtin:single-axis',
            {
              motor: 'x-stepper',
              length_mm: 1000,
              mm_per_rev: 40,
              board: 'pi',
              limit_pins: ['32'],
            },
            { depends_on: ['x-stepper'] },
          ),
          component('gantry', 'table', 'rdk:builtin:multi-axis', {
            subaxes_list: ['x-axis', 'y-axis'],
          }),
          component('gantry', 'y-axis', 'rdk:builtin:single-axis', {
            motor: 'y-stepper',
            length_mm: 600,
            mm_per_rev: 40,
          }),
        ],
        modules: [registryModule('norrvik:raspberry', '0.4.0')],
      }),
      edits: [
        {
          daysAgo: 40,
          change: set('components.y-stepper.attributes.pins', {
            step: '18',
            dir: '22',
            en_low: '16',
          }),
        },
        {
          daysAgo: 25,
          change: set('components.x-axis.attributes.limit_pins', ['32', '36']),
        },
      ],
    },
  },
  {
    name: 'bench-dosing',
    daysAgo: 36,
    metadata: { bench: 'B1', owner: 'applications', customer_trial: 'T-2026-114' },
    main: {
      contact: { daysAgo: 2 },
      config: () => ({
        components: [
          component('gantry', 'stage', 'norrvik:dosing:stage', { port: '/dev/ttyACM0' }),
          component('motor', 'pump', 'norrvik:dosing:peristaltic', {
            port: '/dev/ttyACM1',
            ml_per_rev: 0.412,
            max_rpm: 220,
          }),
          component(
            'sensor',
            'scale',
            'norrvik:dosing:balance',
            { port: '/dev/ttyUSB0' },
            capture('Readings', 1),
          ),
        ],
        services: [
          service('data_manager', 'data-manager', 'rdk:builtin:builtin', {
            capture_dir: '/home/lab/capture',
            sync_interval_mins: 10,
            tags: ['trial-T-2026-114'],
          }),
        ],
        modules: [
          {
            type: 'local',
            name: 'dosing-dev',
            executable_path: '/home/lab/src/dosing/run.sh',
            log_level: 'debug',
          },
        ],
      }),
      edits: [
        { daysAgo: 32, change: set('components.pump.attributes.ml_per_rev', 0.398) },
        { daysAgo: 17, change: set('modules', [registryModule('norrvik:dosing', '0.2.0-rc1')]) },
        { daysAgo: 9, change: set('components.pump.attributes.max_rpm', 180) },
      ],
    },
  },
  {
    name: 'staging-cabinet',
    daysAgo: 3,
    metadata: { destination: 'Line 4' },
    main: {
      contact: 'never',
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('palletizer-cell'),
            variables: { 'io-host': '10.20.4.10', 'stack-pattern': 'brick' },
          },
        ],
      }),
    },
  },
];
