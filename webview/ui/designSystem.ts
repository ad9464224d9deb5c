import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeProgressRing,
} from '@vscode/webview-ui-toolkit';

/** Names of the elements that apps can use. A replacement component set must keep these names. */
export const elementNames = {
  button: 'fleetwright-button',
  checkbox: 'fleetwright-checkbox',
  progressRing: 'fleetwright-progress-ring',
} as const;

/** Defines the elements, which get their styles from the VS Code theme. */
export function defineElements(): void {
  provideVSCodeDesignSystem()
    .withPrefix('fleetwright')
    .register(vsCodeButton(), vsCodeCheckbox(), vsCodeProgressRing());
}
