// The component of Unity in a project that has no client library: one sentence, and then it is off.
using System;
using System.Reflection;
using Perigee.Unity;
using UnityEngine;

static class UnityWithoutLibrary
{
    static int Main()
    {
        var world = new PerigeeWorld { enabled = true };
        foreach (string message in new[] { "OnEnable", "Update", "OnDisable", "OnEnable", "OnDisable" })
        {
            typeof(PerigeeWorld).GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic).Invoke(world, null);
        }
        Console.WriteLine(Debug.LastError);
        return Debug.LastError.Contains("there is no library perigee_client") && !world.enabled ? 0 : 1;
    }
}
