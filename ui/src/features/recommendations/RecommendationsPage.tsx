import { Link } from '@tanstack/react-router';
import { PiggyBank } from 'lucide-react';
import { Empty, Page, Panel } from '@/shared';

/** Savings that can be had, with their evidence. */
export function RecommendationsPage() {
  return (
    <Page title="Recommendations">
      <Panel label="Recommendations">
        <Empty
          icon={PiggyBank}
          title="No recommendations yet"
          command="aws compute-optimizer export-ec2-instance-recommendations --s3-destination-config bucket=BUCKET --file-format Csv"
          action={
            <Link to="/imports" className="btn">
              Import recommendation files
            </Link>
          }
        >
          An AWS Compute Optimizer export (CSV, EC2 instances or EBS volumes) fills this page.
        </Empty>
      </Panel>
    </Page>
  );
}
