import type { TrainingTask } from '../../core/model/trainingTask';

/** The files of a training job, all in a folder that only the job uses. */
export interface TrainingFolder {
  /** Absolute path. The job runs in it. */
  readonly folder: string;
  /**
   * `dataset.jsonl`: one line per image, in the format of the public service's dataset export
   * (`image_path` relative to the file, `classification_annotations`, `bounding_box_annotations`).
   */
  readonly datasetFile: string;
  /** Exists and is empty; its contents at the end are the model. */
  readonly outputFolder: string;
}

/** A managed training job, which the service itself runs. */
export interface ManagedTraining extends TrainingFolder {
  readonly kind: 'managed';
  readonly task: TrainingTask;
  readonly labels: readonly string[];
}

/** A training job that runs a registry script. */
export interface CustomTraining extends TrainingFolder {
  readonly kind: 'custom';
  /** The `.tar.gz` archive of the script, which is untrusted. */
  readonly archive: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export type Training = ManagedTraining | CustomTraining;

/** Log line of a training job, saved with the job. */
export interface TrainingLine {
  readonly level: 'info' | 'warn' | 'error';
  /**
   * One line of text. Progress is reported in the format of Keras, which users and programs know:
   * `Epoch 3/40 - loss: 0.4121 - accuracy: 0.9100 - val_accuracy: 0.8750`.
   */
  readonly message: string;
}

export interface TrainingOptions {
  /** Stops the training job and every process that it started; `run` rejects with its reason. */
  readonly signal: AbortSignal;
  /** Receives lines in order. The training job waits for it, so that no lines are lost. */
  readonly log: (line: TrainingLine) => Promise<void>;
}

/** Selects the images of a dataset for a training job, so that unused images aren't copied. */
export interface ImageChoice {
  /** Receives every image, with its line of the dataset file. */
  consider(id: string, line: string): void;
  /**
   * Returns the IDs of the selected images, most important first.
   * @throws TrainingFailure if no model can be trained with the dataset.
   */
  chosen(): readonly string[];
  /**
   * Returns true to take the image in a file, after the ones already taken; false ends the
   * selection.
   */
  hasRoomFor(file: string): Promise<boolean>;
  /** Returns log lines about the selection when a number of images was taken. */
  toLogLines(taken: number): readonly TrainingLine[];
}

/** Runs one kind of training job in separate processes, with limits of memory and time. */
export interface TrainingRunner<Kind extends Training = Training> {
  /** Creates the selection for a training job; if absent, it gets all images. */
  choice?(training: Kind): ImageChoice;
  /**
   * Trains until the model is in the output folder.
   * @throws TrainingFailure if the training job failed; its message says what to do about it.
   */
  run(training: Kind, options: TrainingOptions): Promise<void>;
}

/** A training job that produced no model. The message is for the user who submitted it. */
export class TrainingFailure extends Error {
  override readonly name = 'TrainingFailure';
}

/** The trainers of a service. Jobs of an absent kind are rejected. */
export interface Trainers {
  readonly managed?: TrainingRunner<ManagedTraining> | undefined;
  /** Exists only if the operator of the service allows scripts to run. */
  readonly custom?: TrainingRunner<CustomTraining> | undefined;
}
