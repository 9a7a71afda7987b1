const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\bChrome\/(\d+)/, 'Chromium'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/Windows NT/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

/** The name of a browser: "Chromium 148 on Linux". Unknown user agents are shown unchanged. */
export function nameOfAgent(agent: string | null): string {
  if (!agent) return 'Unknown browser';
  const found = browsers.map(([pattern, name]) => ({ name, version: pattern.exec(agent)?.[1] })).find((b) => b.version);
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  if (!found) return agent.length > 60 ? `${agent.slice(0, 57)}…` : agent;
  return `${found.name} ${found.version ?? ''}${system ? ` on ${system}` : ''}`;
}
