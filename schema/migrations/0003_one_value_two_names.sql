-- Columns that are two names of one value were two values. The one that was set wins; where both were set and differ, the column that stays
-- keeps its value, and the other one is noted.
-- drop: k8s_workloads.workload_type
-- drop: k8s_workloads.replicas
-- drop: events.severity
-- drop: auto_pilot.created_at

-- Empty and 0 were the defaults of what goes; both kind and total_pods had to be given.
SELECT 'k8s_workloads ' || namespace || '/' || name || ': kind is ' || kind || ', workload_type was ' || workload_type FROM k8s_workloads
WHERE kind <> '' AND workload_type <> '' AND kind <> workload_type;
UPDATE OR IGNORE k8s_workloads SET kind = workload_type WHERE kind = '' AND workload_type <> '';
SELECT 'k8s_workloads ' || namespace || '/' || name || ': kind stays empty, workload_type was ' || workload_type || ', which another row has'
FROM k8s_workloads WHERE kind = '' AND workload_type <> '';

SELECT 'k8s_workloads ' || namespace || '/' || name || ': total_pods is ' || total_pods || ', replicas was ' || replicas FROM k8s_workloads
WHERE total_pods <> 0 AND replicas <> 0 AND total_pods <> replicas;
UPDATE k8s_workloads SET total_pods = replicas WHERE total_pods = 0 AND replicas <> 0;

-- priority could never be left out.
SELECT 'events ' || hex(id) || ': priority is ' || priority || ', severity was ' || severity FROM events WHERE priority <> severity;

-- Both were the time of the write unless given; creation_date could never be left out.
SELECT 'auto_pilot ' || hex(id) || ': creation_date is ' || datetime(creation_date / 1000000, 'unixepoch') || ', created_at was '
  || datetime(created_at / 1000000, 'unixepoch') FROM auto_pilot WHERE creation_date <> created_at;
