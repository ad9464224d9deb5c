import type { AppType, GetAppContentResponse } from '../../gen/viam/app/v1/registry_pb';

/** What an app is opened for; `unknown` when the service names a kind that is not known here. */
export type AppUse = 'oneMachine' | 'manyMachines' | 'unknown';

/** A web application that a module brings along. */
export interface AppContent {
  /** The HTML file it starts with. */
  readonly entrypoint: string;
  /** Where the service keeps its files; empty while none were uploaded. */
  readonly storedAt: string;
  readonly use: AppUse;
  /** Whether it opens without signing in. */
  readonly isPublic: boolean;
}

// The numbers of the contract's enum, whose generated code is loaded with the first call.
const USES: Readonly<Partial<Record<AppType, AppUse>>> = { 1: 'oneMachine', 2: 'manyMachines' };

export function appContentFromWire(answer: GetAppContentResponse): AppContent {
  return {
    entrypoint: answer.entrypoint,
    storedAt: answer.blobPath,
    use: USES[answer.appType] ?? 'unknown',
    isPublic: answer.public,
  };
}
