import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { RunProblem } from './runProblem';

/** A model of a module to run on this computer. */
export interface RunTarget {
  /** The manifest's folder, absolute. */
  readonly folder: string;
  /** As the manifest has it, relative to the folder. */
  readonly entrypoint: string;
  readonly moduleId: string;
  readonly api: string;
  readonly model: string;
}

/** A method of the model's API. */
export interface RunMethod {
  readonly name: string;
  /** A request with a value for each field but the name of the resource. */
  readonly template: JsonObject;
  /** Whether it returns several answers, of which the first are taken. */
  readonly isStreaming: boolean;
}

/** What the editor sends to the process that runs a module. */
export type RunRequest =
  | { readonly kind: 'start'; readonly id: number; readonly target: RunTarget }
  /** Creates the resource, or changes its attributes. */
  | { readonly kind: 'configure'; readonly id: number; readonly attributes: JsonObject }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: string;
      readonly request: JsonObject;
    }
  /** Cancels the request with this ID. */
  | { readonly kind: 'cancel'; readonly id: number };

/** The answer to `start`. */
export interface StartedRun {
  readonly methods: readonly RunMethod[];
}

/** The answer to `configure`. */
export interface ConfiguredResource {
  /** Names of the resources that it requires, which a local run doesn't have. */
  readonly dependencies: readonly string[];
}

/** What the process that runs a module sends to the editor. */
export type RunEvent =
  /** Lines that the module wrote; `dropped` others before them were too many. */
  | { readonly kind: 'log'; readonly lines: readonly string[]; readonly dropped: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: JsonValue }
  | { readonly kind: 'failure'; readonly id: number; readonly problem: RunProblem }
  /** The module exited by itself. */
  | { readonly kind: 'exit'; readonly problem: RunProblem };
