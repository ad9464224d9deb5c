"""Learns where things usually are in pictures: what a detector must be better than.

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
    write("labels.txt", "".join(f"{label}\n" for label in labels))
    write("metrics.json", json.dumps({"task": "object_detection", "mean_iou": iou, "held_out": len(held_out)}))


if __name__ == "__main__":
    main()
