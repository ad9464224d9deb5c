import { provideVscode } from '../../support/provideVscode';

// Loads the host's strings in the source language.
provideVscode('test', 'webview', 'support', 'vscodeTexts.ts');
