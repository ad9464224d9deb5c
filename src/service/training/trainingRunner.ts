import type { TrainingTask } from '../../core/model/trainingJob';

/** A training job's files, all in a folder that only the job uses. */
export interface TrainingFolder {
  /** Absolute path of the folder in which the job runs. */
  readonly folder: string;
  /**
   * Path of `dataset.jsonl`, with one line per image in the format of the public service's dataset
   * export (`image_path` relative to the file, `classification_annotations`,
   * `bounding_box_annotations`).
   */
  readonly datasetFile: string;
  /** Folder that is empty at the start and contains the model at the end. */
  readonly outputFolder: string;
}

/** A managed training job, which runs the service's own training program. */
export interface ManagedTraining extends TrainingFolder {
  readonly kind: 'managed';
  readonly task: TrainingTask;
  readonly labels: readonly string[];
}

/** A training job that runs a registry script. */
export interface CustomTraining extends TrainingFolder {
  readonly kind: 'custom';
  /** Path of the script's `.tar.gz` archive, which is untrusted. */
  readonly archive: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export type Training = ManagedTraining | CustomTraining;

/** Log line from a training job, saved with the job. */
export interface TrainingLine {
  readonly level: 'info' | 'warn' | 'error';
  /**
   * One line of text. Progress is reported in the Keras format, which users and programs are
   * familiar with: `Epoch 3/40 - loss: 0.4121 - accuracy: 0.9100 - val_accuracy: 0.8750`.
   */
  readonly message: string;
}

export interface TrainingOptions {
  /**
   * Signal that stops the training job and every process that it started. `run` then rejects with
   * the signal's reason.
   */
  readonly signal: AbortSignal;
  /**
   * Receives log lines in order. The training job waits for the returned promise, so no lines are
   * lost.
   */
  readonly log: (line: TrainingLine) => Promise<void>;
}

/** Selects the images in a dataset to use in a training job. Other images aren't copied. */
export interface ImageChoice {
  /** Receives every image, with its line in the dataset file. */
  consider(id: string, line: string): void;
  /**
   * Returns the IDs of the selected images, most important first.
   * @throws TrainingError if no model can be trained with the dataset.
   */
  chosen(): readonly string[];
  /**
   * Returns true if the image in a file can be used in addition to the images accepted so far.
   * Returning false ends the selection.
   */
  hasRoomFor(file: string): Promise<boolean>;
  /** Returns log lines that describe the selection, given the number of accepted images. */
  toLogLines(taken: number): readonly TrainingLine[];
}

/** Runs one kind of training job in separate processes, with memory and time limits. */
export interface TrainingRunner<Kind extends Training = Training> {
  /** Creates the image selection for a training job; if absent, the job gets all images. */
  choice?(training: Kind): ImageChoice;
  /**
   * Trains a model and writes it to the output folder.
   * @throws TrainingError if the training job failed. The message explains what to do.
   */
  run(training: Kind, options: TrainingOptions): Promise<void>;
}

/**
 * Failure of a training job that produced no model. The message is for the user who submitted the
 * job.
 */
export class TrainingError extends Error {
  override readonly name = 'TrainingError';
}

/** A service's trainers. Jobs of a kind without a trainer are rejected. */
export interface Trainers {
  readonly managed?: TrainingRunner<ManagedTraining> | undefined;
  /** Trainer for scripts; exists only if the service's operator allows scripts to run. */
  readonly custom?: TrainingRunner<CustomTraining> | undefined;
}
