import type { Platform } from '../platforms';

/**
 * Returns the environment variables that specify the target platform of a build. Existing build
 * scripts use these names, such as `GOOS=$(VIAM_BUILD_OS) GOARCH=$(VIAM_BUILD_ARCH) go build`.
 * Empty for `any` and if there is no platform.
 */
export function platformEnvironment(
  platform: Platform | undefined,
): Readonly<Record<string, string>> {
  if (platform === undefined || platform === 'any') return {};
  const [system = '', architecture = ''] = platform.split('/');
  return {
    VIAM_BUILD_OS: system,
    VIAM_BUILD_ARCH: architecture,
    VIAM_TARGET_OS: system,
  };
}
