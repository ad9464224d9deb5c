import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Localizer } from '../../../base/localizer';

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

/** Reason that a module doesn't run on this computer, or that a call failed. */
export type RunProblem =
  | { readonly kind: 'entrypointMissing'; readonly entrypoint: string }
  | { readonly kind: 'entrypointNotExecutable'; readonly entrypoint: string }
  | { readonly kind: 'startFailed'; readonly entrypoint: string; readonly reason: string }
  /** Path of the socket on which the module would listen. */
  | { readonly kind: 'socketPathTooLong'; readonly path: string; readonly maxBytes: number }
  | { readonly kind: 'exitedEarly'; readonly exit: string; readonly lastLines: readonly string[] }
  | { readonly kind: 'notReady'; readonly seconds: number; readonly lastLines: readonly string[] }
  | { readonly kind: 'readyFailed'; readonly reason: string }
  | { readonly kind: 'modelMissing'; readonly model: string; readonly served: readonly string[] }
  | { readonly kind: 'apiUnknown'; readonly api: string; readonly reason: string }
  | { readonly kind: 'attributesRejected'; readonly reason: string }
  | { readonly kind: 'resourceFailed'; readonly reason: string }
  | { readonly kind: 'requestInvalid'; readonly method: string; readonly reason: string }
  | { readonly kind: 'callFailed'; readonly method: string; readonly reason: string }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'exited'; readonly exit: string }
  | { readonly kind: 'internal'; readonly reason: string };

/** Formats the error and the recommended next step, in one or two sentences. */
export function formatRunProblem(l10n: Localizer, problem: RunProblem): string {
  switch (problem.kind) {
    case 'entrypointMissing':
      return l10n.t(
        'The entrypoint {0} doesn\'t exist. Build the module, or correct "entrypoint" in the manifest.',
        problem.entrypoint,
      );
    case 'entrypointNotExecutable':
      return l10n.t(
        'The entrypoint {0} is not executable. Run "chmod +x" on it, or use the quick fix in the manifest.',
        problem.entrypoint,
      );
    case 'startFailed':
      return l10n.t(
        "Couldn't start the entrypoint {0}: {1}. Check that it is a program for this computer, or a script whose interpreter is installed.",
        problem.entrypoint,
        problem.reason,
      );
    case 'socketPathTooLong':
      return l10n.t(
        'The socket path {0} is longer than the system limit of {1} bytes. Set TMPDIR to a folder with a shorter path and restart VS Code.',
        problem.path,
        String(problem.maxBytes),
      );
    case 'exitedEarly':
      return withLastLines(
        l10n.t('The module exited before it was ready ({0}).', problem.exit),
        problem.lastLines,
      );
    case 'notReady':
      return withLastLines(
        l10n.t(
          'The module was not ready after {0} seconds and was stopped. It must listen on the address in its first argument.',
          String(problem.seconds),
        ),
        problem.lastLines,
      );
    case 'readyFailed':
      return l10n.t(
        "The module rejected the module protocol's Ready request: {0}. Check the module's SDK version.",
        problem.reason,
      );
    case 'modelMissing':
      return l10n.t(
        'The module doesn\'t register the model {0}. It registers: {1}. Register the model in its main file, or correct "models" in the manifest.',
        problem.model,
        problem.served.join(', ') || '–',
      );
    case 'apiUnknown':
      return l10n.t(
        "The module doesn't describe the API {0} through gRPC reflection: {1}. Use an SDK that supports reflection.",
        problem.api,
        problem.reason,
      );
    case 'attributesRejected':
      return l10n.t('The module rejected the attributes: {0}', problem.reason);
    case 'resourceFailed':
      return l10n.t("The module couldn't create the resource: {0}", problem.reason);
    case 'requestInvalid':
      return l10n.t(
        "The request doesn't match {0}: {1}. Correct the request fields, then call the method again.",
        problem.method,
        problem.reason,
      );
    case 'callFailed':
      return l10n.t('{0} failed: {1}', problem.method, problem.reason);
    case 'canceled':
      return l10n.t('The operation was canceled.');
    case 'exited':
      return l10n.t('The module exited ({0}). Its output shows why.', problem.exit);
    case 'internal':
      return l10n.t('The local run failed: {0}', problem.reason);
  }
}

function withLastLines(sentence: string, lines: readonly string[]): string {
  return lines.length === 0 ? sentence : `${sentence}\n${lines.join('\n')}`;
}
