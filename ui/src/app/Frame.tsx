import { useRouter } from '@tanstack/react-router';
import { memo, useEffect } from 'react';
import type { ReactNode } from 'react';
import type { Session } from '@/api';
import { ImportJobs } from '@/features/imports/ImportJobs';
import { host } from '@/host';
import { useZone } from '@/shared/format/zone';
import { listen } from '@/shared/keyboard/keys';
import { Toasts } from '@/shared/toast';
import { AwayBanner } from './AwayBanner';
import { useChanges } from './changes';
import { FrameCommands } from './FrameCommands';
import { FrontStrip } from './FrontStrip';
import { VersionGate } from './VersionGate';
import { followOpenedLinks } from './openedLinks';
import { preloadPages } from './preload';
import { Rail } from './Rail';
import { SampleStrip } from './SampleStrip';
import { SectionTabs } from './SectionTabs';
import { StatusBar } from './StatusBar';
import { TabBar } from './TabBar';
import { useFocusOnArrival } from './useFocusOnArrival';
import { WindowCommands } from './WindowCommands';

/** Rail, page, status bar: the same around every page. */
export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const router = useRouter();
  useEffect(() => listen(window), []);
  useEffect(() => followOpenedLinks(), []);
  useEffect(() => preloadPages(router), [router]);
  const { zone } = useZone();
  useChanges();
  useFocusOnArrival(router);
  return (
    <div className="app">
      <Before session={session} />
      {/* Texts of times are written once: all of them anew in another zone. */}
      <div className="main" key={zone}>
        <FrontStrip />
        <AwayBanner />
        <SampleStrip />
        <SectionTabs />
        <VersionGate>{children}</VersionGate>
      </div>
      <After />
    </div>
  );
}

// The frame does not re-render with every page: its parts that depend on the location subscribe to it themselves.
const Before = memo(({ session }: { session: Session }) => (
  <>
    <a className="skip" href="#main">
      Skip to content
    </a>
    <Rail session={session} />
  </>
));

const After = memo(() => (
  <>
    <StatusBar />
    <TabBar />
    <FrameCommands />
    {host.kind === 'desktop' && <WindowCommands />}
    <ImportJobs />
    <Toasts />
  </>
));
