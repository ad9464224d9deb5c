import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeProgressRing,
} from '@vscode/webview-ui-toolkit';

/** The elements apps may use; anyone who replaces the component set keeps these names. */
export const elementNames = {
  button: 'fleetwright-button',
  checkbox: 'fleetwright-checkbox',
  progressRing: 'fleetwright-progress-ring',
} as const;

/** Defines the elements, which take their look from the theme of VS Code. */
export function defineElements(): void {
  provideVSCodeDesignSystem()
    .withPrefix('fleetwright')
    .register(vsCodeButton(), vsCodeCheckbox(), vsCodeProgressRing());
}
