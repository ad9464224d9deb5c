import type { TrainingTask } from '../../core/model/trainingTask';

/** The files of a training: all of them lie in a folder that is the training's alone. */
export interface TrainingFolder {
  /** Absolute. The work of the training goes on in it. */
  readonly folder: string;
  /**
   * `dataset.jsonl`: a line for each image, as the dataset export of the public service has them
   * (`image_path` relative to the file, `classification_annotations`, `bounding_box_annotations`).
   */
  readonly datasetFile: string;
  /** There and empty; what is in it at the end is the model. */
  readonly outputFolder: string;
}

/** A training that the service does itself. */
export interface ManagedTraining extends TrainingFolder {
  readonly kind: 'managed';
  readonly task: TrainingTask;
  readonly labels: readonly string[];
}

/** A training that a script of the registry does. */
export interface CustomTraining extends TrainingFolder {
  readonly kind: 'custom';
  /** The `.tar.gz` of the script, which strangers may have made. */
  readonly archive: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export type Training = ManagedTraining | CustomTraining;

/** What a training says while it goes on; it is kept with the job. */
export interface TrainingLine {
  readonly level: 'info' | 'warn' | 'error';
  /**
   * One line of text. How far the training is, is said as Keras says it, because people and programs know
   * it: `Epoch 3/40 - loss: 0.4121 - accuracy: 0.9100 - val_accuracy: 0.8750`.
   */
  readonly message: string;
}

export interface TrainingOptions {
  /** Ends the training and every process that it started; `run` rejects with its reason. */
  readonly signal: AbortSignal;
  /** Hears of lines in their order. A training waits for it, so that lines are not lost. */
  readonly log: (line: TrainingLine) => Promise<void>;
}

/** Chooses which images of a dataset a training gets: what it does not read is not copied for it. */
export interface ImageChoice {
  /** Hears of every image, with its line of the dataset file. */
  consider(id: string, line: string): void;
  /**
   * The ids of those that are wanted, the most wanted first.
   * @throws TrainingFailure when no model can come of the dataset.
   */
  chosen(): readonly string[];
  /** Whether an image is taken, which lies in a file, after those for which it was; else it is the end. */
  hasRoomFor(file: string): Promise<boolean>;
  /** What there is to say of it when so many images were taken. */
  told(taken: number): readonly TrainingLine[];
}

/** Does one kind of trainings, in processes apart from the service, within bounds of memory and time. */
export interface TrainingRunner<Kind extends Training = Training> {
  /** Chooses for a training; where it is absent, a training gets all images. */
  choice?(training: Kind): ImageChoice;
  /**
   * Trains until the model is in the output folder.
   * @throws TrainingFailure when the training failed; its message says what to do about it.
   */
  run(training: Kind, options: TrainingOptions): Promise<void>;
}

/** A training that came to no model. Its message is for the person who asked for it. */
export class TrainingFailure extends Error {
  override readonly name = 'TrainingFailure';
}

/** What a service can train with. A kind that is absent is refused. */
export interface Trainers {
  readonly managed?: TrainingRunner<ManagedTraining> | undefined;
  /** There only where the operator of the service allowed that scripts are run. */
  readonly custom?: TrainingRunner<CustomTraining> | undefined;
}
