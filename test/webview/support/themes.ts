/** The four kinds of VS Code themes. */
export const themeKinds = ['light', 'dark', 'highContrast', 'highContrastLight'] as const;

export type ThemeKind = (typeof themeKinds)[number];

export interface ThemeStyle {
  /** Class that VS Code sets on a webview's body. */
  readonly bodyClass: string;
  readonly variables: Readonly<Record<string, string>>;
}

const fonts = {
  '--vscode-font-family': 'sans-serif',
  '--vscode-font-size': '13px',
  '--vscode-font-weight': 'normal',
  '--vscode-editor-font-family': 'monospace',
  '--vscode-editor-font-size': '13px',
};

const themes: Readonly<Record<ThemeKind, ThemeStyle>> = {
  light: theme('vscode-light', {
    background: '#ffffff',
    foreground: '#3b3b3b',
    faint: '#616161',
    accent: '#005fb8',
    onAccent: '#ffffff',
    selected: '#e4e6f1',
    error: '#f85149',
    warning: '#bf8803',
  }),
  dark: theme('vscode-dark', {
    background: '#1f1f1f',
    foreground: '#cccccc',
    faint: '#9d9d9d',
    accent: '#4daafc',
    onAccent: '#10202f',
    selected: '#37373d',
    error: '#f48771',
    warning: '#cca700',
  }),
  highContrast: theme('vscode-high-contrast', {
    background: '#000000',
    foreground: '#ffffff',
    faint: '#ffffff',
    accent: '#21a6ff',
    onAccent: '#000000',
    selected: '#000000',
    error: '#f48771',
    warning: '#ffd370',
    border: '#6fc3df',
  }),
  highContrastLight: theme('vscode-high-contrast vscode-high-contrast-light', {
    background: '#ffffff',
    foreground: '#292929',
    faint: '#292929',
    accent: '#0f4a85',
    onAccent: '#ffffff',
    selected: '#ffffff',
    error: '#b5200d',
    warning: '#895503',
    border: '#0f4a85',
  }),
};

export function themeStyle(kind: ThemeKind): ThemeStyle {
  return themes[kind];
}

interface Colors {
  readonly background: string;
  readonly foreground: string;
  readonly faint: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly selected: string;
  readonly error: string;
  readonly warning: string;
  /** Border color of high-contrast themes, which use borders instead of shades. */
  readonly border?: string;
}

function theme(bodyClass: string, colors: Colors): ThemeStyle {
  return {
    bodyClass,
    variables: {
      ...fonts,
      '--vscode-editor-background': colors.background,
      '--vscode-foreground': colors.foreground,
      '--vscode-descriptionForeground': colors.faint,
      '--vscode-textLink-foreground': colors.accent,
      '--vscode-textLink-activeForeground': colors.accent,
      '--vscode-focusBorder': colors.accent,
      '--vscode-button-background': colors.accent,
      '--vscode-button-foreground': colors.onAccent,
      '--vscode-badge-background': colors.accent,
      '--vscode-badge-foreground': colors.onAccent,
      '--vscode-list-inactiveSelectionBackground': colors.selected,
      '--vscode-list-activeSelectionBackground': colors.selected,
      '--vscode-errorForeground': colors.error,
      '--vscode-editorError-foreground': colors.error,
      '--vscode-editorWarning-foreground': colors.warning,
      '--vscode-editorInfo-foreground': colors.accent,
      '--vscode-charts-blue': colors.accent,
      '--vscode-charts-orange': colors.warning,
      '--vscode-charts-green': colors.foreground,
      ...(colors.border && {
        '--vscode-contrastBorder': colors.border,
        '--vscode-contrastActiveBorder': colors.border,
      }),
    },
  };
}
