import { Visibility } from '../../../gen/viam/app/v1/registry_pb';
import type { FilePlan, PublishedPlans } from '../plan';

const TRAINING = `"""Learns where things usually are in pictures: what a detector must be better than.

It looks at the boxes alone and not at the pictures, and needs Python 3.8 and nothing else.
"""

import argparse
import json
import os

SIDES = ("x_min_normalized", "y_min_normalized", "x_max_normalized", "y_max_normalized")
EVERYWHERE = [0.0, 0.0, 1.0, 1.0]
HELD_OUT = 5
RATE = 0.02


def read_boxes(dataset_file):
    """The boxes of each label, in the order of the dataset."""
    boxes = {}
    with open(dataset_file, encoding="utf-8") as lines:
        for line in lines:
            for box in json.loads(line).get("bounding_box_annotations", []):
                sides = [float(box.get(side, 0)) for side in SIDES]
                boxes.setdefault(box["annotation_label"], []).append(sides)
    return boxes


def overlap(one, other):
    """Intersection over union."""

    def area(box):
        return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])

    shared = area([max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])])
    union = area(one) + area(other) - shared
    return shared / union if union > 0 else 0.0


def distance(one, other):
    return sum((a - b) ** 2 for a, b in zip(one, other))


def mean(numbers):
    return sum(numbers) / len(numbers) if numbers else 0.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dataset_file", required=True)
    parser.add_argument("--model_output_directory", required=True)
    parser.add_argument("--num_epochs", type=int, default=10)
    parser.add_argument("--labels", default="", help="only these, with a blank between two")
    args = parser.parse_args()

    boxes = read_boxes(args.dataset_file)
    labels = sorted(set(args.labels.split()) & set(boxes) if args.labels else boxes)
    if not labels:
        raise SystemExit("No picture of the dataset has a box to learn from: mark some first.")
    held_out = [(label, box) for label in labels for box in boxes[label][HELD_OUT - 1 :: HELD_OUT]]
    taught = [
        (label, box)
        for label in labels
        for index, box in enumerate(boxes[label])
        if index % HELD_OUT != HELD_OUT - 1
    ]
    print(f"{len(taught)} boxes to learn from, {len(held_out)} held out; labels: {', '.join(labels)}")

    model = {label: list(EVERYWHERE) for label in labels}
    for epoch in range(1, args.num_epochs + 1):
        for label, box in taught:
            model[label] = [side + RATE * (wanted - side) for side, wanted in zip(model[label], box)]
        loss = mean([distance(model[label], box) for label, box in taught])
        held_out_loss = mean([distance(model[label], box) for label, box in held_out])
        iou = mean([overlap(model[label], box) for label, box in held_out])
        print(
            f"Epoch {epoch}/{args.num_epochs} - loss: {loss:.4f} - val_loss: {held_out_loss:.4f} - val_iou: {iou:.4f}"
        )

    def write(name, text):
        with open(os.path.join(args.model_output_directory, name), "w", encoding="utf-8") as file:
            file.write(text)

    write("model.json", json.dumps(model, indent=2))
    write("labels.txt", "".join(f"{label}\\n" for label in labels))
    write("metrics.json", json.dumps({"task": "object_detection", "mean_iou": iou, "held_out": len(held_out)}))


if __name__ == "__main__":
    main()
`;

const SETUP = `from setuptools import find_packages, setup

setup(name='model', version='0.2', packages=find_packages())
`;

/** Training script that runs wherever Python is available. */
const trainingScript: FilePlan[] = [
  { path: 'setup.py', text: SETUP },
  { path: 'model/__init__.py', text: '' },
  { path: 'model/training.py', text: TRAINING },
];

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
