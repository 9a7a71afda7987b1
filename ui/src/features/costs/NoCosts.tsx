import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useImportCommand, useSeesTenant } from '@/api';
import { Empty } from '@/shared';

/** Before the first import: which file fills the page, and how to read it from a shell. */
export function NoCosts() {
  const command = useImportCommand();
  if (!useSeesTenant())
    return (
      <Empty icon={ChartColumn} title="No costs yet">
        No imported bill contains an account that you can see.
      </Empty>
    );
  return (
    <Empty
      icon={ChartColumn}
      title="No costs yet"
      command={command}
      action={
        <Link to="/imports" className="btn">
          Import cost files
        </Link>
      }
    >
      Import a bill from AWS, Azure or Google Cloud, or a FOCUS export from any provider.
    </Empty>
  );
}
