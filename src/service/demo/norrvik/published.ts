import { Visibility } from '../../../gen/viam/app/v1/registry_pb';
import type { PublishedPlans } from '../registryPlan';
import { trainingScript } from './trainingScript';

const PLATFORMS = ['linux/amd64', 'linux/arm64'];

/** Modules and models that the company's configs use. */
export const norrvikPublished: PublishedPlans = {
  modules: [
    {
      name: 'edge-health',
      description: 'Disks, temperatures, and load of cabinet computers',
      url: '',
      markdown:
        '# edge-health\n\nReads what a cabinet computer says of itself.\n\n| Attribute | What |\n|---|---|\n| `disks` | Mount points to watch |\n| `temperature_zones` | Zones to read |\n',
      models: [
        {
          subtype: 'sensor',
          model: 'norrvik:edge-health:computer',
          description: 'Disks, temperatures, and load',
        },
      ],
      entrypoint: 'bin/edge-health',
      platforms: PLATFORMS,
      versions: [
        { version: '1.3.0', daysAgo: 75 },
        { version: '1.4.0', daysAgo: 40 },
        { version: '1.4.2', daysAgo: 17 },
      ],
    },
    {
      name: 'modbus-io',
      description: 'Couplers, drives, and digital inputs on Modbus TCP',
      url: 'https://norrvik.example/modbus-io',
      markdown:
        '# modbus-io\n\nDrives what hangs on a Modbus coupler.\n\n## coupler\n\nNeeds the address of the coupler:\n\n```json\n{ "host": "10.40.1.20" }\n```\n\n## vfd\n\nA belt or pump behind a frequency converter. It stops when the coupler falls silent.\n',
      models: [
        { subtype: 'board', model: 'norrvik:modbus-io:coupler', description: 'A bus coupler' },
        { subtype: 'motor', model: 'norrvik:modbus-io:vfd', description: 'A frequency converter' },
        { subtype: 'sensor', model: 'norrvik:modbus-io:digital', description: 'A digital input' },
      ],
      entrypoint: 'bin/modbus-io',
      platforms: [...PLATFORMS, 'windows/amd64'],
      versions: [
        { version: '1.7.2', daysAgo: 73 },
        { version: '1.8.0', daysAgo: 70 },
        { version: '1.9.0-rc.1', daysAgo: 3 },
      ],
      shared: { daysAgo: 68, visibility: Visibility.PUBLIC },
    },
  ],
  packages: [
    {
      name: 'pallet-detector',
      type: 'mlModel',
      description: 'Finds pallets and boxes in images of the hall',
      metadata: { model_type: 'object_detection', model_framework: 'tflite' },
      files: [
        { path: 'labels.txt', text: 'pallet\nbox\nforklift\n' },
        {
          path: 'pallet-detector.tflite',
          text: 'a model of the demo fleet, which detects nothing',
        },
      ],
      versions: [
        { version: '1.0', daysAgo: 44 },
        { version: '1.1', daysAgo: 9 },
      ],
    },
    {
      name: 'train-pallet-detector',
      type: 'trainingScript',
      description: 'Learns where objects usually are in images, as a baseline for detectors',
      metadata: { model_type: 'object_detection', model_framework: 'unspecified' },
      files: trainingScript,
      versions: [
        { version: '0.1', daysAgo: 46 },
        { version: '0.2', daysAgo: 11 },
      ],
    },
  ],
};
