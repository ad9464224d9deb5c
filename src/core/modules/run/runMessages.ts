import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { RunProblem } from './runProblem';

/** Model of a module to run on this computer. */
export interface RunTarget {
  /** Absolute path of the manifest's folder. */
  readonly folder: string;
  /** Entrypoint as written in the manifest, relative to the manifest's folder. */
  readonly entrypoint: string;
  readonly moduleId: string;
  readonly api: string;
  readonly model: string;
}

/** Method of the model's API. */
export interface RunMethod {
  readonly name: string;
  /** Request that contains a value for each field except the name of the resource. */
  readonly template: JsonObject;
  /** True if the method returns multiple responses, of which only the first few are read. */
  readonly isStreaming: boolean;
}

/** Message from the editor to the process that runs a module. */
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

/** Response to `start`. */
export interface StartedRun {
  readonly methods: readonly RunMethod[];
}

/** Response to `configure`. */
export interface ConfiguredResource {
  /** Names of the resources that this resource requires, which a local run doesn't have. */
  readonly dependencies: readonly string[];
}

/** Message from the process that runs a module to the editor. */
export type RunEvent =
  /**
   * Lines that the module wrote. `dropped` is the number of preceding lines that were dropped
   * because there were too many.
   */
  | { readonly kind: 'log'; readonly lines: readonly string[]; readonly dropped: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: JsonValue }
  | { readonly kind: 'failure'; readonly id: number; readonly problem: RunProblem }
  /** The module exited on its own. */
  | { readonly kind: 'exit'; readonly problem: RunProblem };
