import type { AppType, GetAppContentResponse } from '../../gen/viam/app/v1/registry_pb';

/**
 * Number of machines that an app is opened with; `unknown` if the service sends an unknown type.
 */
export type AppUse = 'oneMachine' | 'manyMachines' | 'unknown';

/** Web application that a module provides. */
export interface AppContent {
  /** HTML file that is the start page of the app. */
  readonly entrypoint: string;
  /** Storage path of the app's files; empty until files are uploaded. */
  readonly storedAt: string;
  readonly use: AppUse;
  /** True if users can open the app without signing in. */
  readonly isPublic: boolean;
}

// Numbers in the API contract's enum, whose generated code is loaded only with the first call.
const USES: Readonly<Partial<Record<AppType, AppUse>>> = { 1: 'oneMachine', 2: 'manyMachines' };

export function appContentFromWire(answer: GetAppContentResponse): AppContent {
  return {
    entrypoint: answer.entrypoint,
    storedAt: answer.blobPath,
    use: USES[answer.appType] ?? 'unknown',
    isPublic: answer.public,
  };
}
