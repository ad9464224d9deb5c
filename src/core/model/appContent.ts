import type { AppType, GetAppContentResponse } from '../../gen/viam/app/v1/registry_pb';

/** Number of machines that an app is opened for; `unknown` if the service sends an unknown kind. */
export type AppUse = 'oneMachine' | 'manyMachines' | 'unknown';

/** Web application that a module provides. */
export interface AppContent {
  /** HTML file that it starts with. */
  readonly entrypoint: string;
  /** Storage path of its files; empty until some are uploaded. */
  readonly storedAt: string;
  readonly use: AppUse;
  /** True if it opens without signing in. */
  readonly isPublic: boolean;
}

// Numbers of the contract's enum, whose generated code is loaded only with the first call.
const USES: Readonly<Partial<Record<AppType, AppUse>>> = { 1: 'oneMachine', 2: 'manyMachines' };

export function appContentFromWire(answer: GetAppContentResponse): AppContent {
  return {
    entrypoint: answer.entrypoint,
    storedAt: answer.blobPath,
    use: USES[answer.appType] ?? 'unknown',
    isPublic: answer.public,
  };
}
