// Command robfig times robfig/cron v3 on the schedules of the slot section: it reads
// {"runs", "schedules": [{"expression", "zone", "anchor"}]} and prints the milliseconds of each run as JSON.
//
// The library cannot search backwards. What is timed is what the Kubernetes CronJob controller does when one slot is
// owed: parse "TZ=zone expression", step from the anchor to the owed slot, step once more to the next one. The
// anchor, one second before that slot, is the cheapest there can be.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/robfig/cron/v3"
)

type schedule struct {
	Expression string `json:"expression"`
	Zone       string `json:"zone"`
	Anchor     int64  `json:"anchor"`
}

type request struct {
	Runs      int        `json:"runs"`
	Schedules []schedule `json:"schedules"`
}

type answer struct {
	PerParse []float64 `json:"perParse"`
	Shared   []float64 `json:"shared"`
	Refused  int       `json:"refused"`
}

func main() {
	runtime.LockOSThread()
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var found answer
	zones := map[string]*time.Location{}
	for _, one := range asked.Schedules {
		if _, err := cron.ParseStandard("TZ=" + one.Zone + " " + one.Expression); err != nil {
			found.Refused++
		}
		if location, err := time.LoadLocation(one.Zone); err == nil {
			zones[one.Zone] = location
		}
	}
	for run := 0; run < asked.Runs; run++ {
		found.PerParse = append(found.PerParse, timed(asked.Schedules, loadedPerParse))
		found.Shared = append(found.Shared, timed(asked.Schedules, func(one schedule) cron.Schedule {
			return loadedOnce(one, zones)
		}))
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		os.Exit(1)
	}
}

var sink int64

func timed(schedules []schedule, parse func(schedule) cron.Schedule) float64 {
	start := threadTime()
	for _, one := range schedules {
		parsed := parse(one)
		if parsed == nil {
			continue
		}
		owed := parsed.Next(time.Unix(one.Anchor, 0))
		sink += owed.Unix() + parsed.Next(owed).Unix()
	}
	return float64((threadTime() - start).Nanoseconds()) / 1e6
}

// threadTime is what this thread has worked so far, as the JavaScript side measures it; the collector's threads are
// left out on both sides.
func threadTime() time.Duration {
	const thisThread = 1
	var usage syscall.Rusage
	if err := syscall.Getrusage(thisThread, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// loadedPerParse is the controller's way: the library loads the zone with each parse.
func loadedPerParse(one schedule) cron.Schedule {
	parsed, err := cron.ParseStandard("TZ=" + one.Zone + " " + one.Expression)
	if err != nil {
		return nil
	}
	return parsed
}

// loadedOnce spares the library the loading of zones.
func loadedOnce(one schedule, zones map[string]*time.Location) cron.Schedule {
	parsed, err := cron.ParseStandard(one.Expression)
	if err != nil {
		return nil
	}
	if spec, ok := parsed.(*cron.SpecSchedule); ok {
		spec.Location = zones[one.Zone]
	}
	return parsed
}
