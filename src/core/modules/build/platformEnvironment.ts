import type { Platform } from '../platforms';

/**
 * The variables by which a build learns what it is for. Build scripts of the field read these names,
 * such as `GOOS=$(VIAM_BUILD_OS) GOARCH=$(VIAM_BUILD_ARCH) go build`. Empty for `any` and for none.
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
