import { provideVscode } from './provideVscode';

// Runs parts of the host without an extension host. Tests must import this module before these
// parts.
provideVscode('test', 'support', 'vscodeModule.ts');

export {
  cancelProgress,
  configuration,
  editorArea,
  TabInputNotebook,
  workspace,
} from './vscodeModule';
